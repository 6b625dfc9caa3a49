import { HOUR_MS } from '../../../config/domain.ts'
import { allSources, type Source } from '../../../config/sources.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { type KnownState, sinceWhen } from '../health/recorded-states.ts'
import {
  HEALTH_WINDOWS,
  type LateHours,
  type LateRuns,
  lateHours,
  lateRuns,
  windowStart,
} from '../health/run-evidence.ts'
import { nextState, type SourceState } from '../health/source-state.ts'

export interface HealthWindow {
  hours: (typeof HEALTH_WINDOWS)[number]
  /** Runs in the window, which is made of whole UTC hours; a run may make several requests. */
  runs: number
  /** Fraction of runs that answered and could be read (of each, the fraction of its requests); runs left out for an open circuit count against it. Null without a run. */
  uptime: number | null
  /** Fraction of the observed part of the window in which a reading under an hour old (a cadence, where that is longer; a week, of history) was at hand; null before the first run. */
  freshness: number | null
}

export interface SourceHealth {
  source: string
  state: SourceState
  /** When it was first seen in this state, to the publishing (a minute); null when it was never in another. */
  since: string | null
  /** Why it is in this state, in one sentence; null when it is healthy. */
  reason: string | null
  last_success_at: string | null
  /** Newest time that its content claims, of all its readings; a time in the future is not believed. */
  newest_observed_at: string | null
  /** When the bytes it sends last differed from those before, or were first seen. */
  content_changed_at: string | null
  /** Rows of its last good run (all its requests), and the median of its runs over a week, by hours; null before there are any, or three such hours. */
  rows: number | null
  usual_rows: number | null
  /** The last failure of the last day; CIRCUIT_OPEN only where no other is known. */
  last_error_code: string | null
  last_error_message: string | null
  windows: HealthWindow[]
}

const ms = (instant: string | null | undefined) => (instant ? Date.parse(instant) : null)

/** The later of two instants, either of which may be missing. */
const later = (a: string | null | undefined, b: string | null | undefined): string | null =>
  (ms(a) ?? Number.NEGATIVE_INFINITY) > (ms(b) ?? Number.NEGATIVE_INFINITY) ? (a ?? null) : (b ?? null)

/** Uptime and freshness over each window; the hours before the first run are left out. */
function windowsOf(hours: LateHours | undefined, runs: LateRuns | undefined, now: number): HealthWindow[] {
  const firstHour = ms(hours?.first_at)
  const firstRun = ms(runs?.first_at)
  const first = firstRun !== null && firstHour !== null && firstRun - firstHour < HOUR_MS ? firstRun : firstHour
  return HEALTH_WINDOWS.map((length) => {
    const counted = hours?.[`runs_${length}`] ?? 0
    const observed = first === null ? 0 : (now - Math.max(first, windowStart(length, now))) / 1_000
    const fresh = (hours?.[`fresh_${length}`] ?? 0) / observed
    return {
      hours: length,
      runs: counted,
      uptime: counted === 0 ? null : (hours?.[`answered_${length}`] ?? 0) / counted,
      freshness: observed <= 0 ? null : Math.min(1, fresh),
    }
  })
}

function healthOf(
  source: Source,
  known: KnownState | undefined,
  runs: LateRuns | undefined,
  hours: LateHours | undefined,
  now: number,
): SourceHealth {
  const last_success_at = later(runs?.last_success_at, hours?.last_success_at)
  const newest_observed_at = later(runs?.newest_observed_at, hours?.newest_observed_at)
  const rows = runs?.rounds.find(({ answered }) => answered)?.rows ?? null
  // Where nothing is open at this hour on other days either, an empty answer is as good as a reading.
  const quiet = rows === 0 && hours?.fewest_rows === 0
  const last_error_code = runs?.last_error_code ?? null
  const { state, reason } = nextState(
    source,
    (known?.state as SourceState | undefined) ?? null,
    {
      rounds: runs?.rounds ?? [],
      asked_ms: ms(later(runs?.asked_at, hours?.last_run_at)),
      last_success_ms: ms(last_success_at),
      newest_observed_ms: ms(quiet ? last_success_at : newest_observed_at),
      content_changed_ms: ms(hours?.content_changed_at),
      usual_rows: hours?.usual_rows ?? null,
      fewest_rows: hours?.fewest_rows ?? null,
      last_error: last_error_code,
    },
    now,
  )
  return {
    source: source.id,
    state,
    since: sinceWhen(known, state, now),
    reason,
    last_success_at,
    newest_observed_at,
    content_changed_at: hours?.content_changed_at ?? null,
    rows,
    usual_rows: hours?.usual_rows ?? null,
    last_error_code,
    last_error_message: runs?.last_error_message ?? null,
    windows: windowsOf(hours, runs, now),
  }
}

/** How each source is doing at `now` (epoch ms): from its runs of the last day, its hours of thirty, and the states known before. */
export async function sourceHealth(
  warehouse: Warehouse,
  now: number,
  known: ReadonlyMap<string, KnownState>,
  sources: readonly Source[] = allSources(),
): Promise<SourceHealth[]> {
  const [runs, hours] = [await lateRuns(warehouse, now, sources), await lateHours(warehouse, now)]
  return sources.map((source) =>
    healthOf(source, known.get(`source:${source.id}`), runs.get(source.id), hours.get(source.id), now),
  )
}
