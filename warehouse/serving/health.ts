import { HOUR_MS } from '../../config/domain.ts'
import { allSources, type Source } from '../../config/sources.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { type LateHours, type LateRuns, lateHours, lateRuns, windowStart } from './evidence.ts'
import { HEALTH_WINDOWS, type HealthWindow, type SourceHealth, type SourceState } from './snapshot/health-types.ts'
import { nextState } from './source-state.ts'
import { type KnownState, sinceWhen } from './state-changes.ts'

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
