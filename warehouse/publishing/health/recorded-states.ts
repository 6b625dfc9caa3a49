import { isoUtc } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { stateChanges } from '../../tables/state-changes.ts'

/** The newest recorded state of a subject. */
export interface RecordedState {
  state: string
  since: string
  /** Number of recorded states so far; 1 for the first. */
  changes: number
}

/** The present state of a subject. */
export interface SubjectState {
  /** `source:<id>` or `fact:<IATA>/<fact>`. */
  subject: string
  state: string
  reason: string | null
}

/** The newest state of every subject recorded by `now` (epoch ms); later ones were recorded by a clock that was ahead. */
export async function readRecordedStates(warehouse: Warehouse, now: number): Promise<Map<string, RecordedState>> {
  const rows = await warehouse.query<RecordedState & { subject: string }>(
    `SELECT subject, arg_max(state, since) AS state, max(since) AS since, count(*)::INTEGER AS changes
     FROM state_changes WHERE since <= $now::TIMESTAMPTZ GROUP BY subject`,
    { now: isoUtc(now) },
  )
  return new Map(rows.map(({ subject, ...recorded }) => [subject, recorded]))
}

/** When a subject entered its present state `state`, at `now` (epoch ms); null when it never had another state. */
export function enteredAt(recorded: RecordedState | undefined, state: string, now: number): string | null {
  if (recorded === undefined) return null
  if (recorded.state !== state) return isoUtc(now)
  return recorded.changes > 1 ? recorded.since : null
}

/** Records the states that differ from the recorded ones, as of `now` (epoch ms); returns how many. */
export async function recordStateChanges(
  warehouse: Warehouse,
  recorded: ReadonlyMap<string, RecordedState>,
  states: readonly SubjectState[],
  now: number,
): Promise<number> {
  const changed = states.filter(({ subject, state }) => recorded.get(subject)?.state !== state)
  return warehouse.land(
    stateChanges,
    changed.map(({ subject, state, reason }) => ({ subject, state, reason, since: isoUtc(now) })),
  )
}
