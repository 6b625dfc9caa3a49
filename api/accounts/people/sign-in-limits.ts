import { randomUUID } from 'node:crypto'
import { RateLimitedError } from '../../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../../config/steady-clock.ts'
import { sourceNetwork } from '../../data/gate/source-network.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'

/** Failures within this time count. */
export const FAILURE_WINDOW_MS = 15 * 60_000
const MAX_FAILURES_PER_EMAIL = 5
/** Higher than for one email: many people can share one address. */
const MAX_FAILURES_PER_NETWORK = 30

/** A sign-in under way. It counts as failed until it succeeds, so that concurrent attempts cannot exceed the limit. */
export interface SignInAttempt {
  /** The ids of its rows: of the network, and of the email where there is one. */
  row_ids: string[]
  email_hash: string | null
}

/**
 * Begins a sign-in attempt. Without an email (passkeys, whose answers cannot be guessed) only the failures of the network
 * count, so that no stranger can lock out the owner of a passkey.
 * @throws RateLimitedError when the email or the network has too many failures; a refused attempt does not count, and each
 * failure stops counting after 15 minutes
 */
export function beginAttempt(state: State, email: string | null, address: string, now: number): Promise<SignInAttempt> {
  const id = randomUUID()
  const failed_at = new Date(now).toISOString()
  const email_hash = email === null ? null : keyedHash(`email ${email}`, state.pepper)
  const network_hash = keyedHash(`network ${sourceNetwork(address)}`, state.pepper)
  const limits = [
    ...(email_hash === null ? [] : [{ subject: email_hash, max: MAX_FAILURES_PER_EMAIL }]),
    { subject: network_hash, max: MAX_FAILURES_PER_NETWORK },
  ].sort((a, b) => (a.subject < b.subject ? -1 : 1))
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
    return { row_ids: limits.map(({ subject }) => rowId(id, subject)), email_hash }
  })
}

const rowId = (attempt: string, subject: string) => `${attempt} ${subject}`

const tooMany = (wait_ms: number) =>
  new RateLimitedError('sign_in', Math.max(1, Math.ceil(wait_ms / 1000)), 'too many failed sign-ins')

/** Clears a successful attempt and the earlier failures of its email. Failures of its network go on counting. */
export async function clearFailures({ db }: Pick<State, 'db'>, { row_ids, email_hash }: SignInAttempt): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((where) =>
      where.or([where('id', 'in', row_ids), ...(email_hash === null ? [] : [where('subject_hash', '=', email_hash)])]),
    )
    .execute()
}
