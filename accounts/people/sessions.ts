import { randomBytes } from 'node:crypto'
import { futureFrom } from '../../api/state/from-future.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import { findByHash } from '../../api/state/peppers.ts'
import type { State } from '../../api/state/state.ts'
import type { SessionRow } from '../../api/state/tables.ts'
import { isStateFault } from '../../api/state/unreachable.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import type { Visitor } from '../../site/pages/visitor.ts'

const MAX_SESSION_MS = 30 * DAY_MS
/** How long it stays signed in without being used. */
const IDLE_MS = 7 * DAY_MS
/** The last use is stored at most this often. */
const SEEN_INTERVAL_MS = 300_000

/** Starts a session and returns the value of its cookie; only a keyed hash is stored. */
export async function startSession(
  { db, pepper }: State,
  person_id: string,
  from: { source: string; user_agent: string | null },
  now: number,
): Promise<{ cookie: string; max_age_seconds: number }> {
  const cookie = randomBytes(32).toString('base64url')
  const created_at = new Date(now).toISOString()
  await db
    .insertInto('sessions')
    .values({
      hash: keyedHash(cookie, pepper),
      person_id,
      created_at,
      seen_at: created_at,
      expires_at: new Date(now + MAX_SESSION_MS).toISOString(),
      source: from.source,
      user_agent: from.user_agent?.slice(0, 300) ?? null,
    })
    .execute()
  return { cookie, max_age_seconds: MAX_SESSION_MS / 1000 }
}

/** The person whose session a cookie is; null when the session is unknown, expired or idle for too long. */
export async function findVisitor({ db, peppers }: State, cookie: string, now: number): Promise<Visitor | null> {
  const row = await findByHash(cookie, peppers, (hashes) =>
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .innerJoin('accounts', 'accounts.id', 'people.account_id')
      .select([
        'people.id',
        'accounts.tier',
        'people.account_id',
        'people.email',
        'accounts.tier',
        'sessions.hash as session',
        'sessions.seen_at',
        'sessions.expires_at',
      ])
      .where('sessions.hash', 'in', hashes)
      .executeTakeFirst(),
  )
  if (!row || now >= Date.parse(row.expires_at) || now >= Date.parse(row.seen_at) + IDLE_MS) return null
  const { session } = row
  // A last use in the future stays: either the clock was ahead then, which `deleteExpiredSessions` sets right, or it is behind now.
  if (now >= Date.parse(row.seen_at) + SEEN_INTERVAL_MS) {
    await db
      .updateTable('sessions')
      .set({ seen_at: new Date(now).toISOString() })
      .where('hash', '=', session)
      .execute()
      // A visitor can still read while nothing can be stored.
      .catch((error) => {
        if (!isStateFault(error)) throw error
      })
  }
  return { person_id: row.id, account_id: row.account_id, email: row.email, tier: row.tier, session }
}

/** The active sessions of a person, the last used first. */
export function listActiveSessions({ db }: State, person_id: string, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('expires_at', '>', new Date(now).toISOString())
    .where('seen_at', '>', new Date(now - IDLE_MS).toISOString())
    .orderBy('seen_at', 'desc')
    .execute()
}

/**
 * Deletes expired and idle sessions. Those that began while the clock was ahead last no longer than any other. Call it only
 * while the clock is trusted.
 */
export async function deleteExpiredSessions({ db }: Pick<State, 'db'>, now: number): Promise<void> {
  const seen_at = new Date(now).toISOString()
  const last = new Date(now + MAX_SESSION_MS).toISOString()
  await db.updateTable('sessions').set({ seen_at }).where('seen_at', '>', futureFrom(now)).execute()
  await db
    .updateTable('sessions')
    .set({ expires_at: last })
    .where('expires_at', '>', futureFrom(now + MAX_SESSION_MS))
    .execute()
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('expires_at', '<=', new Date(now).toISOString()),
        where('seen_at', '<=', new Date(now - IDLE_MS).toISOString()),
      ]),
    )
    .execute()
}

/** Ends one session. */
export async function endSession({ db }: Pick<State, 'db'>, session: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', session).execute()
}

/** Signs out every browser of a person except the session `except`. */
export async function endAllSessions({ db }: Pick<State, 'db'>, person_id: string, except?: string): Promise<void> {
  let ending = db.deleteFrom('sessions').where('person_id', '=', person_id)
  if (except !== undefined) ending = ending.where('hash', '!=', except)
  await ending.execute()
}
