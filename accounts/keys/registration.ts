import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sourceNetwork } from '../../api/gate/source-network.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { RateLimitedError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { pastInstants } from '../../config/steady-clock.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { type IssuedKey, insertAccountWithKey } from './keys.ts'

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
  const order = { tier: 'free', name: agent_name ?? null, contact_email: contact_email ?? null } as const
  return withinCaps(state, caps, sourceNetwork(address), now, (transaction) =>
    insertAccountWithKey(transaction, state.pepper, order, now),
  )
}

/**
 * Counts one registration of a source for a purpose; purposes are counted separately.
 * @throws RateLimitedError when the source has reached its limit per minute or per day; a refused attempt does not count.
 */
export const takeRegistrationSlot = (
  state: State,
  purpose: string,
  caps: RegistrationCaps,
  address: string,
  now: number,
): Promise<void> => withinCaps(state, caps, `${purpose} ${sourceNetwork(address)}`, now, async () => undefined)

/** Registrations are counted for a day; what is older is deleted after another one. */
const RETENTION_MS = 2 * DAY_MS

/** Does what a registration of a source is for and counts it, in one transaction. Registrations are decided one by one, of all processes. */
function withinCaps<T>(
  { db, pepper }: State,
  caps: RegistrationCaps,
  source: string,
  now: number,
  work: (transaction: Kysely<StateTables>) => Promise<T>,
): Promise<T> {
  const source_hash = keyedHash(source, pepper)
  return transactionInTurn({ db }, 'registrations', async (transaction) => {
    await lockRegistrations(transaction)
    const before = new Date(now - RETENTION_MS).toISOString()
    await transaction.deleteFrom('registrations').where('registered_at', '<', before).execute()
    const refused = refusalOf(caps, await recentRegistrations(transaction, source_hash, now - DAY_MS), now)
    if (refused) throw refused
    const registered_at = new Date(now).toISOString()
    await transaction.insertInto('registrations').values({ id: randomUUID(), source_hash, registered_at }).execute()
    return work(transaction)
  })
}

/** Blocks other transactions that count registrations until this one commits, so that they count its registration too. */
async function lockRegistrations(transaction: Kysely<StateTables>): Promise<void> {
  await transaction
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 2)
    .execute()
}

/** The times at which a source has registered since an instant, oldest first. */
async function recentRegistrations(transaction: Kysely<StateTables>, source_hash: string, since: number) {
  const rows = await transaction
    .selectFrom('registrations')
    .select('registered_at')
    .where('source_hash', '=', source_hash)
    .where('registered_at', '>', new Date(since).toISOString())
    .orderBy('registered_at')
    .execute()
  return rows.map(({ registered_at }) => Date.parse(registered_at))
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
