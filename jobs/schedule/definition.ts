import type { Settings } from '../../config/settings.ts'
import type { Source } from '../../config/sources.ts'

export type JobKind = 'collect' | 'canary' | 'refresh' | 'train' | 'upkeep' | 'export'

/** A periodic job: what runs when. Both runners obey the same definitions. */
export interface JobDefinition {
  /** Unique, e.g. collect:sea-cwt. Two runs of one name never overlap. */
  name: string
  kind: JobKind
  /** The source, for `collect`. */
  source: string | null
  every_seconds: number
  /** Seconds from the start to the first run; spread, so that not all sources are fetched at once. */
  first_after_seconds: number
  /** Attempts per tick, including the first, before the tick counts as failed. */
  attempts: number
  /** Pause before the second attempt; it doubles before each further attempt. */
  backoff_ms: number
  /** A run is signalled to stop after this time. */
  timeout_ms: number
}

const HOUR = 3_600
const DAY = 24 * HOUR

/** Seconds since a job last ran in an earlier process; undefined for a job that has never run. */
export type SinceLastRun = (job: string) => number | undefined

/**
 * All jobs of an installation. The canary runs often but probes little: each open circuit has its own time of the next probe.
 * A collect job has one attempt per tick because the fetcher retries by itself. A restart keeps the cadence: a job that ran
 * recently is not run again before its next time is due.
 */
export function jobDefinitions(
  sources: readonly Source[],
  settings: Pick<Settings, 'publish_seconds'> & Partial<Pick<Settings, 'open_data' | 'open_data_seconds'>>,
  sinceLastRun: SinceLastRun = () => undefined,
): JobDefinition[] {
  const firstAfter = (job: string, everySeconds: number, spread: number) => {
    const since = sinceLastRun(job)
    return since === undefined ? spread : Math.max(spread, everySeconds - since)
  }
  const collects = sources
    .filter((source) => source.active)
    .map(
      (source, index): JobDefinition => ({
        name: `collect:${source.id}`,
        kind: 'collect',
        source: source.id,
        every_seconds: source.cadence_seconds,
        first_after_seconds: firstAfter(`collect:${source.id}`, source.cadence_seconds, (index % 10) * 0.5),
        attempts: 1,
        backoff_ms: 0,
        timeout_ms: 120_000,
      }),
    )
  const { publish_seconds: every_seconds, open_data = ['off'], open_data_seconds = HOUR } = settings
  const exported = { first_after_seconds: 30, attempts: 2, backoff_ms: 30_000, timeout_ms: HOUR * 1_000 }
  const trained = { attempts: 2, backoff_ms: 60_000, timeout_ms: 2 * HOUR * 1_000 }
  return [
    ...collects,
    ...(open_data[0] === 'off' ? [] : [jobOf('export', { every_seconds: open_data_seconds, ...exported })]),
    jobOf('canary', { every_seconds: 120, first_after_seconds: 20, attempts: 1, backoff_ms: 0, timeout_ms: 600_000 }),
    jobOf('refresh', { every_seconds, first_after_seconds: 0, attempts: 3, backoff_ms: 2_000, timeout_ms: 300_000 }),
    jobOf('upkeep', {
      every_seconds: 600,
      first_after_seconds: 60,
      attempts: 2,
      backoff_ms: 5_000,
      timeout_ms: 600_000,
    }),
    jobOf('train', { every_seconds: DAY, first_after_seconds: firstAfter('train', DAY, 20), ...trained }),
  ]
}

/** A job of the installation as a whole, which is named by its kind. */
const jobOf = (kind: JobKind, times: Omit<JobDefinition, 'name' | 'kind' | 'source'>): JobDefinition => ({
  name: kind,
  kind,
  source: null,
  ...times,
})
