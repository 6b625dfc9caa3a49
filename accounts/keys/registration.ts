import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sourceNetwork } from '../../api/gate/source-network.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { RateLimitedError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'
import type { Settings } from '../../config/settings.ts'
import { pastInstants } from '../../config/steady-clock.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import type { IssuedKey } from './keys.ts'
import { lockRegistrations, RegistrationQueue, recentRegistrations } from './registration-queue.ts'

type RegistrationCaps = Pick<Settings, 'registrations_per_minute' | 'registrations_per_day'>

/** The limits of clients that register. */
export const clientCaps = (settings: Settings): RegistrationCaps => ({
  registrations_per_minute: settings.client_registrations_per_minute,
  registrations_per_day: settings.client_registrations_per_day,
})

export interface Registration {
  agent_name?: string | undefined
  contact_email?: string | undefined
  /** Network address of the caller. Only its keyed hash is stored, for two days. */
  address: string
}

const queues = new WeakMap<Kysely<StateTables>, RegistrationQueue>()

/**
 * Registers an agent: creates an account with a free key, on disk when this resolves.
 * @throws RateLimitedError when the source has reached its limit per minute or per day; a refused attempt does not count.
 */
export function registerAgent(
  state: State,
  caps: RegistrationCaps,
  { agent_name, contact_email, address }: Registration,
  now: number,
): Promise<IssuedKey> {
  const queue = getOrCreate(queues, state.db, () => new RegistrationQueue(state))
  const source_hash = keyedHash(sourceNetwork(address), state.pepper)
  const order = { tier: 'free', kind: 'agent', name: agent_name ?? null, contact_email: contact_email ?? null } as const
  return queue.register({ source_hash, order, now, refusal: (instants) => refusalOf(caps, instants, now) })
}

/**
 * Counts one registration of a source for a purpose; purposes are counted separately.
 * @throws RateLimitedError when the source has reached its limit per minute or per day; a refused attempt does not count.
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

/** Decides by the times of a source's earlier registrations, oldest first: the error, or null if a new one is allowed. */
function refusalOf(caps: RegistrationCaps, instants: number[], now: number): RateLimitedError | null {
  return (
    refusalBy(caps.registrations_per_day, DAY_MS, 'day', instants, now) ??
    refusalBy(caps.registrations_per_minute, 60_000, 'minute', instants, now)
  )
}

function refusalBy(cap: number, windowMs: number, unit: string, instants: number[], now: number) {
  const within = pastInstants(instants, now).filter((instant) => instant > now - windowMs)
  if (within.length < cap) return null
  // The next registration is possible when the oldest of the last `cap` ones leaves the window.
  const oldest = within[within.length - cap]!
  const retryAfter = Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))
  const message = `at most ${cap} registrations per ${unit} from one address`
  return new RateLimitedError(`registration_${unit}`, retryAfter, message)
}
