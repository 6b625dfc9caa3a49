import { freshnessOf, HOUR_MS } from '../../config/domain.ts'
import type { DelayState, Provenance, QueueWait, Snapshot } from '../../warehouse/snapshot/types.ts'
import type { QueryContext } from './define.ts'
import { hourAt } from './forecast-hours.ts'

/**
 * What a snapshot says, as it may be told at `now`. While new snapshots come in nothing changes here; when they stop
 * (the pipeline is down), what was observed grows old and must not go on being shown as current.
 */

const NO_PROVENANCE: Provenance = { basis: null, observed_at: null, age_seconds: null, source: null, freshness: null }

function hasExpired({ freshness, observed_at }: Provenance, now: number): boolean {
  if (freshness === 'expired') return true
  return observed_at !== null && freshnessOf((now - Date.parse(observed_at)) / 1_000) === 'expired'
}

/** The wait of a queue; an expired security wait falls to the forecast of this hour, others to no figure with a reason. */
export function currentQueue(
  code: string,
  kind: 'security' | 'checkin' | 'immigration',
  { snapshot, now }: Pick<QueryContext, 'snapshot' | 'now'>,
): QueueWait {
  const wait = snapshot.queue(code, kind)
  if (!hasExpired(wait, now)) return wait
  const reason = `the last measurement (${wait.observed_at}) is too old to be shown`
  const series = kind === 'security' ? snapshot.forecast(code) : null
  const hour = series && hourAt(series, Math.floor(now / HOUR_MS) * HOUR_MS)
  if (!series || !hour)
    return { ...NO_PROVENANCE, average_wait_minutes: null, unavailable_reason: reason, terminals: [] }
  const { basis, version: source } = series.model
  const figure = { average_wait_minutes: hour.wait_minutes, unavailable_reason: null, terminals: [] }
  return { ...NO_PROVENANCE, ...figure, basis, source }
}

/** The delays of an airport; unknown when the FAA's feed was last read too long ago. */
export function currentDelays(snapshot: Snapshot, code: string, now: number): DelayState {
  const state = snapshot.delays(code)
  if (!hasExpired(state, now)) return state
  const summary = `The FAA's feed was last read at ${state.observed_at}: nothing is known about delays now.`
  return { ...NO_PROVENANCE, supported: state.supported, status: 'unknown', summary, programs: [], closures: [] }
}
