import { randomUUID } from 'node:crypto'
import { sourceNetwork } from '../../api/gate/source-network.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import { RateLimitedError } from '../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'

/** Failures within this time count. */
export const FAILURE_WINDOW_MS = 15 * 60_000
/** Per email and network: stops one guesser without blocking others. */
const MAX_FAILURES_PER_EMAIL_AND_NETWORK = 5
/** Per email from all networks: higher, because a stranger with several networks could lock its owner out. */
const MAX_FAILURES_PER_EMAIL = 50
/** Per network for all emails: many people can share one address. */
const MAX_FAILURES_PER_NETWORK = 30
/** Per browser that its person has signed in with before: limits whoever took it. */
const MAX_FAILURES_PER_DEVICE = 50

/** Per session: limits whoever finds a signed-in browser. */
const MAX_FAILURES_PER_SESSION = 5

/** A sign-in attempt. */
export interface Attempt {
  /** Null for passkeys, whose answers cannot be guessed: no stranger can lock out the owner of one by its email. */
  email: string | null
  address: string
  /** The browser, if its person has signed in with it before: then only its own failures count. */
  device: string | null
  /** The session of a browser that is signed in, whose person confirms a change. */
  session?: string | undefined
}

/** A sign-in under way. It counts as failed until it succeeds, so that concurrent attempts cannot exceed the limit. */
export interface SignInAttempt {
  /** Ids of the rows that count it. */
  ids: string[]
  /** Subjects whose failures end when it succeeds. */
  cleared: string[]
}

/**
 * Begins a sign-in attempt.
 * @throws RateLimitedError when its session, its device, or else its email or network, has too many failures; a refused attempt does not count, and
 * each failure stops counting after 15 minutes
 */
export function beginAttempt(
  state: State,
  { email, address, device, session }: Attempt,
  now: number,
): Promise<SignInAttempt> {
  const id = randomUUID()
  const failed_at = new Date(now).toISOString()
  const network = sourceNetwork(address)
  const limit = (subject: string, max: number, isCleared: boolean) => ({
    subject: keyedHash(subject, state.pepper),
    max,
    isCleared,
  })
  const limitsOf = () => {
    // Strangers' failures never count against a browser of the person.
    if (session !== undefined) return [limit(`session ${session}`, MAX_FAILURES_PER_SESSION, true)]
    if (device !== null) return [limit(`device ${device}`, MAX_FAILURES_PER_DEVICE, true)]
    const networkLimit = limit(`network ${network}`, MAX_FAILURES_PER_NETWORK, false)
    if (email === null) return [networkLimit]
    return [
      limit(`email ${email} network ${network}`, MAX_FAILURES_PER_EMAIL_AND_NETWORK, true),
      limit(`email ${email}`, MAX_FAILURES_PER_EMAIL, true),
      networkLimit,
    ]
  }
  const limits = limitsOf()
  limits.sort((a, b) => (a.subject < b.subject ? -1 : 1))
  return state.db.transaction().execute(async (transaction) => {
    // Writes a row of each subject first, in a fixed order: a concurrent attempt waits here and then counts this one.
    for (const { subject } of limits)
      await transaction
        .insertInto('sign_in_failures')
        .values({ id: subject, subject_hash: '', failed_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ failed_at }))
        .execute()
    for (const { subject, max } of limits) {
      const recent = await transaction
        .selectFrom('sign_in_failures')
        .select('failed_at')
        .where('subject_hash', '=', subject)
        .where('failed_at', '>', new Date(now - FAILURE_WINDOW_MS).toISOString())
        .where('failed_at', '<=', new Date(now + MAX_CLOCK_SKEW_MS).toISOString())
        .orderBy('failed_at', 'desc')
        .limit(max)
        .execute()
      const oldest = recent[max - 1]
      if (oldest) throw tooMany(Math.min(Date.parse(oldest.failed_at), now) + FAILURE_WINDOW_MS - now)
      await transaction
        .insertInto('sign_in_failures')
        .values({ id: rowId(id, subject), subject_hash: subject, failed_at })
        .execute()
    }
    return {
      ids: limits.map(({ subject }) => rowId(id, subject)),
      cleared: limits.flatMap(({ subject, isCleared }) => (isCleared ? subject : [])),
    }
  })
}

const rowId = (attempt: string, subject: string) => `${attempt} ${subject}`

const tooMany = (wait_ms: number) =>
  new RateLimitedError('sign_in', Math.max(1, Math.ceil(wait_ms / 1000)), 'too many failed sign-ins')

/** Clears a successful attempt and the earlier failures of its email, device or session. Failures of its network go on counting. */
export async function clearFailures({ db }: Pick<State, 'db'>, { ids, cleared }: SignInAttempt): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('id', 'in', ids).execute()
  if (cleared.length > 0) await db.deleteFrom('sign_in_failures').where('subject_hash', 'in', cleared).execute()
}
