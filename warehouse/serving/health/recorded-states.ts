import { isoUtc } from '../../../config/domain.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { stateChanges } from '../../tables/state-changes.ts'

/** The state that a subject was last seen to come into. */
export interface KnownState {
  state: string
  since: string
  /** States it has been seen in so far; 1 for the first. */
  changes: number
}

export interface StateNow {
  /** `source:<id>` or `fact:<IATA>/<fact>`. */
  subject: string
  state: string
  reason: string | null
}

/** The last known state of every subject. */
export async function knownStates(warehouse: Warehouse): Promise<Map<string, KnownState>> {
  const rows = await warehouse.query<KnownState & { subject: string }>(
    `SELECT subject, arg_max(state, since) AS state, max(since) AS since, count(*)::INTEGER AS changes
     FROM state_changes GROUP BY subject`,
  )
  return new Map(rows.map(({ subject, ...known }) => [subject, known]))
}

/** When a subject came into the state it is in at `now` (epoch ms); null when it was never seen in another. */
export function sinceWhen(known: KnownState | undefined, state: string, now: number): string | null {
  if (known === undefined) return null
  if (known.state !== state) return isoUtc(now)
  return known.changes > 1 ? known.since : null
}

/** Keeps the states that differ from the last known ones, as of `now` (epoch ms); returns how many. */
export async function keepChanges(
  warehouse: Warehouse,
  known: ReadonlyMap<string, KnownState>,
  states: readonly StateNow[],
  now: number,
): Promise<number> {
  const changed = states.filter(({ subject, state }) => known.get(subject)?.state !== state)
  return warehouse.land(
    stateChanges,
    changed.map((change) => ({ ...change, since: isoUtc(now) })),
  )
}
