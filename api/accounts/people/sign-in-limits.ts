import { randomUUID } from 'node:crypto'
import { RateLimitedError } from '../../../config/errors.ts'
import { sourceNetwork } from '../../data/gate/source-network.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'

/** Failures in this time count. */
export const FAILURE_WINDOW_MS = 15 * 60_000
const MOST_OF_EMAIL = 5
/** More than of one email: many people can sit behind one address. */
const MOST_OF_NETWORK = 30

/** A try to sign in that is under way. It counts as failed until it is known to be right, so that tries at once cannot pass the limit. */
export interface SignInTry {
  id: string
  email_hash: string | null
}

/**
 * Begins a try to sign in. Without an email (passkeys, whose answers cannot be guessed) only the network's failures count, so
 * that no stranger can lock an owner's passkey out.
 * @throws RateLimitedError when the failures of the email or of the network are too many; such a try does not count, and the
 * oldest failure ceases to count after 15 minutes.
 */
export function beginTry(state: State, email: string | null, address: string, now: number): Promise<SignInTry> {
  const id = randomUUID()
  const failed_at = new Date(now).toISOString()
  const email_hash = email === null ? null : keyedHash(`email ${email}`, state.pepper)
  const network_hash = keyedHash(`network ${sourceNetwork(address)}`, state.pepper)
  const limits = [
    ...(email_hash === null ? [] : [{ subject: email_hash, most: MOST_OF_EMAIL }]),
    { subject: network_hash, most: MOST_OF_NETWORK },
  ].sort((a, b) => (a.subject < b.subject ? -1 : 1))
  return state.db.transaction().execute(async (transaction) => {
    // A row of each subject is written first, in one order: of two tries at once the second waits, and counts the first.
    for (const { subject } of limits)
      await transaction
        .insertInto('sign_in_failures')
        .values({ id: subject, subject_hash: '', failed_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ failed_at }))
        .execute()
    for (const { subject, most } of limits) {
      const recent = await transaction
        .selectFrom('sign_in_failures')
        .select('failed_at')
        .where('subject_hash', '=', subject)
        .where('failed_at', '>', new Date(now - FAILURE_WINDOW_MS).toISOString())
        .orderBy('failed_at', 'desc')
        .limit(most)
        .execute()
      const oldest = recent[most - 1]
      if (oldest) throw tooMany(Date.parse(oldest.failed_at) + FAILURE_WINDOW_MS - now)
      await transaction
        .insertInto('sign_in_failures')
        .values({ id: `${id} ${subject}`, subject_hash: subject, failed_at })
        .execute()
    }
    return { id, email_hash }
  })
}

const tooMany = (wait_ms: number) =>
  new RateLimitedError('sign_in', Math.max(1, Math.ceil(wait_ms / 1000)), 'too many failed sign-ins')

/** A try was right: it no longer counts, nor do the earlier failures of its email. Those of its network go on counting. */
export async function forgiveTry({ db }: Pick<State, 'db'>, { id, email_hash }: SignInTry): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((where) =>
      where.or([
        where('id', 'like', `${id} %`),
        ...(email_hash === null ? [] : [where('subject_hash', '=', email_hash)]),
      ]),
    )
    .execute()
}
