import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../../../config/domain.ts'
import type { Visitor } from '../../site/pages/visitor.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import type { SessionRow } from '../../state/tables.ts'

/** Longest that a browser stays signed in, used or not. */
const LONGEST_MS = 30 * DAY_MS
/** Longest that it stays so without being used. */
const IDLE_MS = 7 * DAY_MS
/** That it was used is written at most this often. */
const SEEN_EVERY_MS = 300_000

/** Signs a browser in; returns what its cookie holds, which is not stored anywhere. */
export async function startSession(
  { db, pepper }: State,
  person_id: string,
  from: { source: string; user_agent: string | null },
  now: number,
): Promise<{ cookie: string; max_age_seconds: number }> {
  const cookie = randomBytes(32).toString('base64url')
  const at = new Date(now).toISOString()
  await db
    .insertInto('sessions')
    .values({
      hash: keyedHash(cookie, pepper),
      person_id,
      created_at: at,
      seen_at: at,
      expires_at: new Date(now + LONGEST_MS).toISOString(),
      source: from.source,
      user_agent: from.user_agent?.slice(0, 300) ?? null,
    })
    .execute()
  return { cookie, max_age_seconds: LONGEST_MS / 1000 }
}

/** Whose a cookie is; null when it is unknown, over or has long been idle. */
export async function visitorOf({ db, pepper }: State, cookie: string, now: number): Promise<Visitor | null> {
  const session = keyedHash(cookie, pepper)
  const row = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['people.id', 'people.account_id', 'people.email', 'sessions.seen_at', 'sessions.expires_at'])
    .where('sessions.hash', '=', session)
    .executeTakeFirst()
  if (!row || now >= Date.parse(row.expires_at) || now >= Date.parse(row.seen_at) + IDLE_MS) return null
  if (now >= Date.parse(row.seen_at) + SEEN_EVERY_MS)
    await db
      .updateTable('sessions')
      .set({ seen_at: new Date(now).toISOString() })
      .where('hash', '=', session)
      .execute()
  return { person_id: row.id, account_id: row.account_id, email: row.email, session }
}

/** The browsers of a person that are signed in, the one last seen first. */
export function liveSessionsOf({ db }: State, person_id: string, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('expires_at', '>', new Date(now).toISOString())
    .where('seen_at', '>', new Date(now - IDLE_MS).toISOString())
    .orderBy('seen_at', 'desc')
    .execute()
}

/** Deletes sessions that are over. */
export async function clearSessions({ db }: Pick<State, 'db'>, now: number): Promise<void> {
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

/** Signs one browser out. */
export async function endSession({ db }: Pick<State, 'db'>, session: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', session).execute()
}

/** Signs every browser of a person out, but for the one named. */
export async function endAllSessions({ db }: Pick<State, 'db'>, person_id: string, except?: string): Promise<void> {
  let ending = db.deleteFrom('sessions').where('person_id', '=', person_id)
  if (except !== undefined) ending = ending.where('hash', '!=', except)
  await ending.execute()
}
