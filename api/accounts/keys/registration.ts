import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import { RateLimitedError } from '../../../config/errors.ts'
import { sourceNetwork } from '../../data/gate/source-network.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import type { StateTables } from '../../state/tables.ts'
import type { IssuedKey } from './keys.ts'
import { lockRegistrations, RegistrationQueue, recentRegistrations } from './registration-queue.ts'

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

const desks = new WeakMap<Kysely<StateTables>, RegistrationQueue>()

/**
 * Registers an agent: a new account of its own with a free key, on the disk when this returns.
 * @throws RateLimitedError when the source's cap for the minute or the day is met; such a try does not count.
 */
export function registerAgent(
  state: State,
  caps: RegistrationCaps,
  { agent_name, contact_email, address }: Registration,
  now: number,
): Promise<IssuedKey> {
  const desk = desks.get(state.db) ?? new RegistrationQueue(state)
  desks.set(state.db, desk)
  const source_hash = keyedHash(sourceNetwork(address), state.pepper)
  const order = { tier: 'free', kind: 'agent', name: agent_name ?? null, contact_email: contact_email ?? null } as const
  return desk.register({ source_hash, order, now, refusal: (instants) => refusalOf(caps, instants, now) })
}

/**
 * Takes one of the places that a source has for a purpose, counted apart from those for other purposes.
 * @throws RateLimitedError when its cap for the minute or the day is met; such a try does not count.
 */
export async function takeRegistrationSlot(
  { db, pepper }: State,
  purpose: string,
  caps: RegistrationCaps,
  address: string,
  now: number,
): Promise<void> {
  const source_hash = keyedHash(`${purpose} ${sourceNetwork(address)}`, pepper)
  await db.transaction().execute(async (transaction) => {
    await lockRegistrations(transaction)
    const instants = await recentRegistrations(transaction, [source_hash], now - DAY_MS)
    const refused = refusalOf(caps, instants.get(source_hash) ?? [], now)
    if (refused) throw refused
    const registered_at = new Date(now).toISOString()
    await transaction.insertInto('registrations').values({ id: randomUUID(), source_hash, registered_at }).execute()
  })
}

/** Why a registration is refused after those of its source at these instants, oldest first; null when it is not. */
function refusalOf(caps: RegistrationCaps, instants: number[], now: number): RateLimitedError | null {
  return (
    refusalBy(caps.registrations_per_day, DAY_MS, 'day', instants, now) ??
    refusalBy(caps.registrations_per_minute, 60_000, 'minute', instants, now)
  )
}

function refusalBy(cap: number, windowMs: number, unit: string, instants: number[], now: number) {
  const within = instants.filter((instant) => instant > now - windowMs)
  if (within.length < cap) return null
  // The place that comes free first is that of the oldest of the last `cap`.
  const oldest = within[within.length - cap]!
  const retryAfter = Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))
  const message = `at most ${cap} registrations per ${unit} from one address`
  return new RateLimitedError(`registration_${unit}`, retryAfter, message)
}
