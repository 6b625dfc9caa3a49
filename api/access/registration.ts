import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../config/domain.ts'
import { RateLimitedError } from '../../config/errors.ts'
import type { State } from '../state/open.ts'
import type { StateTables } from '../state/tables.ts'
import { keyedHash } from './key-format.ts'
import { type IssuedKey, insertAccountWithKey } from './keys.ts'
import { sourceNetwork } from './source-network.ts'

export interface RegistrationCaps {
  registrations_per_minute: number
  registrations_per_day: number
}

export interface Registration {
  agent_name?: string | undefined
  contact_email?: string | undefined
  /** Address of the caller; only its keyed hash is stored, and that for two days. */
  address: string
}

/**
 * Registers an agent: a new account of its own with a free key, on the disk when this returns.
 * @throws RateLimitedError when the source's cap for the minute or the day is met; such a try does not count.
 */
export async function registerAgent(
  state: State,
  caps: RegistrationCaps,
  registration: Registration,
  now: number,
): Promise<IssuedKey> {
  return state.db.transaction().execute(async (transaction) => {
    await takePlace(transaction, sourceHash(state, registration.address), caps, now)
    const order = {
      tier: 'free',
      kind: 'agent',
      name: registration.agent_name ?? null,
      contact_email: registration.contact_email ?? null,
    } as const
    return insertAccountWithKey(transaction, state.pepper, order, now)
  })
}

/**
 * Takes one of the places that a source has for a purpose, counted apart from those for other purposes.
 * @throws RateLimitedError when its cap for the minute or the day is met; such a try does not count.
 */
export async function registrationPlace(
  state: State,
  purpose: string,
  caps: RegistrationCaps,
  address: string,
  now: number,
): Promise<void> {
  const source_hash = sourceHash(state, address, `${purpose} `)
  await state.db.transaction().execute((transaction) => takePlace(transaction, source_hash, caps, now))
}

const sourceHash = ({ pepper }: State, address: string, purpose = '') =>
  keyedHash(purpose + sourceNetwork(address), pepper)

async function takePlace(
  transaction: Kysely<StateTables>,
  source_hash: string,
  caps: RegistrationCaps,
  now: number,
): Promise<void> {
  // Writing comes first: it takes the write lock, so that of two registrations at once the second counts the first.
  await transaction
    .insertInto('registrations')
    .values({ id: randomUUID(), source_hash, registered_at: new Date(now).toISOString() })
    .execute()
  await transaction
    .deleteFrom('registrations')
    .where('registered_at', '<', new Date(now - 2 * DAY_MS).toISOString())
    .execute()
  const lately = await transaction
    .selectFrom('registrations')
    .select('registered_at')
    .where('source_hash', '=', source_hash)
    .where('registered_at', '>', new Date(now - DAY_MS).toISOString())
    .orderBy('registered_at')
    .execute()
  const instants = lately.map((row) => Date.parse(row.registered_at))
  refuseAbove(caps.registrations_per_day, DAY_MS, 'day', instants, now)
  refuseAbove(caps.registrations_per_minute, 60_000, 'minute', instants, now)
}

function refuseAbove(cap: number, windowMs: number, unit: string, instants: number[], now: number): void {
  const within = instants.filter((instant) => instant > now - windowMs)
  if (within.length <= cap) return
  // The place that comes free first is that of the oldest of the last `cap` before this try.
  const oldest = within[within.length - 1 - cap]!
  const retryAfter = Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))
  const message = `at most ${cap} registrations per ${unit} from one address`
  throw new RateLimitedError(`registration_${unit}`, retryAfter, message)
}
