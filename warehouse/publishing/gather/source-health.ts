import { allSources, type Source } from '../../../config/sources.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { enteredAt, type RecordedState } from '../health/recorded-states.ts'
import {
  dailyUptime,
  type RecentHours,
  type RecentRuns,
  recentHours,
  recentRuns,
  windowStart,
} from '../health/run-evidence.ts'
import { nextState } from '../health/source-state.ts'
import {
  HEALTH_WINDOWS,
  type HealthWindow,
  type SourceHealth,
  type SourceHealthContent,
  type SourceState,
} from '../read/source-health.ts'
import { type StillWaits, stillWaits } from '../waits/still-waits.ts'
import { type WithoutWaits, withoutWaits } from '../waits/without-waits.ts'
import { defineGathered } from './define-gathered.ts'

const subjectOf = (source: string) => `source:${source}`

export const gatherHealth = defineGathered({
  async gather({ warehouse, now, recordedStates, sources, still, currentStates }): Promise<SourceHealthContent> {
    const healths = await sourceHealth(warehouse, now, recordedStates, sources, still)
    for (const { source, state, reason } of healths) currentStates.push({ subject: subjectOf(source), state, reason })
    return { health: healths }
  },
})

/** The health of each source at `now` (epoch ms): from its recent runs, its recent hours and its recorded state. */
export async function sourceHealth(
  warehouse: Warehouse,
  now: number,
  recordedStates: ReadonlyMap<string, RecordedState>,
  sources: readonly Source[] = allSources(),
  known?: readonly StillWaits[],
): Promise<SourceHealth[]> {
  const runs = await recentRuns(warehouse, now, sources)
  const hours = await recentHours(warehouse, now)
  const days = await dailyUptime(warehouse, now)
  const still = known ?? (await stillWaits(warehouse, now))
  const waitless = await withoutWaits(warehouse, now)
  return sources.map((source) => ({
    ...healthOf(
      source,
      recordedStates.get(subjectOf(source.id)),
      {
        runs: runs.get(source.id),
        hours: hours.get(source.id),
        still: still.find((queue) => queue.source === source.id),
        waitless: waitless.find((found) => found.source === source.id),
      },
      now,
    ),
    days: days.get(source.id) ?? [],
  }))
}

function healthOf(
  source: Source,
  recorded: RecordedState | undefined,
  {
    runs,
    hours,
    still,
    waitless,
  }: {
    runs: RecentRuns | undefined
    hours: RecentHours | undefined
    still: StillWaits | undefined
    waitless: WithoutWaits | undefined
  },
  now: number,
): SourceHealth {
  const last_success_at = later(runs?.last_success_at, hours?.last_success_at)
  const newest_observed_at = later(runs?.newest_observed_at, hours?.newest_observed_at)
  const rows = runs?.runs.find(({ answered }) => answered)?.rows ?? null
  // If no queue is open at this hour on other days either, an empty answer is as good as a reading.
  const isUsuallyEmpty = rows === 0 && hours?.fewest_rows === 0
  const last_error_code = runs?.last_error_code ?? null
  const { state, reason } = nextState(
    source,
    (recorded?.state as SourceState | undefined) ?? null,
    {
      runs: runs?.runs ?? [],
      last_run_ms: epochMs(later(runs?.last_run_at, hours?.last_run_at)),
      last_success_ms: epochMs(last_success_at),
      newest_observed_ms: epochMs(isUsuallyEmpty ? last_success_at : newest_observed_at),
      content_changed_ms: epochMs(hours?.content_changed_at),
      usual_rows: hours?.usual_rows ?? null,
      fewest_rows: hours?.fewest_rows ?? null,
      still: still ?? null,
      waitless: waitless ?? null,
      last_error: last_error_code,
    },
    now,
  )
  return {
    source: source.id,
    state,
    since: enteredAt(recorded, state, now),
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

/** Uptime and freshness over each window; the hours before the first run do not count. */
function windowsOf(hours: RecentHours | undefined, runs: RecentRuns | undefined, now: number): HealthWindow[] {
  const firstHour = epochMs(hours?.first_at)
  const firstRun = epochMs(runs?.first_at)
  const beganThisHour = firstRun !== null && firstHour !== null && firstRun - firstHour < HOUR_MS
  const first = beganThisHour ? firstRun : firstHour
  return HEALTH_WINDOWS.map((length) => {
    const runCount = hours?.[`runs_${length}`] ?? 0
    const observedSeconds = first === null ? 0 : (now - Math.max(first, windowStart(length, now))) / 1_000
    const freshShare = (hours?.[`fresh_${length}`] ?? 0) / observedSeconds
    return {
      hours: length,
      runs: runCount,
      uptime: runCount === 0 ? null : (hours?.[`answered_${length}`] ?? 0) / runCount,
      freshness: observedSeconds <= 0 ? null : Math.min(1, freshShare),
    }
  })
}

const epochMs = (instant: string | null | undefined) => (instant ? Date.parse(instant) : null)

/** The later of two instants; either may be missing. */
function later(a: string | null | undefined, b: string | null | undefined): string | null {
  const isLater = (epochMs(a) ?? Number.NEGATIVE_INFINITY) > (epochMs(b) ?? Number.NEGATIVE_INFINITY)
  return (isLater ? a : b) ?? null
}
