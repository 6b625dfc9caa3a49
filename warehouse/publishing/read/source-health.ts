import { definePublished } from './define-published.ts'

/**
 * The state of a source. `degraded`: it answers, but its newest reading is old, its rows are far fewer than usual, its
 * content has not changed for too long, or too many of its last runs failed; a source that was down passes through it.
 * `failing`: its last two runs failed, or all of them. `open_circuit`: it failed so often that only canary requests are
 * sent. `not_asked`: switched on, but never run. The table of transitions is in warehouse/publishing/README.md.
 */
export const SOURCE_STATES = ['healthy', 'degraded', 'failing', 'open_circuit', 'not_asked', 'off'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** The windows of uptime and freshness, in hours. */
export const HEALTH_WINDOWS = [24, 168, 720] as const

export interface HealthWindow {
  hours: (typeof HEALTH_WINDOWS)[number]
  /** Runs in the window, which is made of whole UTC hours; a run may make several requests. */
  runs: number
  /**
   * Fraction of the runs that answered and could be parsed; of each run the fraction of its requests. Runs skipped for an
   * open circuit count as failed. Null without a run.
   */
  uptime: number | null
  /**
   * Fraction of the observed part of the window in which a fresh reading was available: under an hour old, or a cadence
   * where that is longer, or a week for history. Null before the first run.
   */
  freshness: number | null
}

export interface SourceHealth {
  source: string
  state: SourceState
  /** When the source was first published in this state (to the minute); null when it never had another state. */
  since: string | null
  /** Why it is in this state, in one sentence; null when it is healthy. */
  reason: string | null
  last_success_at: string | null
  /** Newest observation time of all its readings; a time in the future is ignored. */
  newest_observed_at: string | null
  /** When its content last differed from the content before, or was first fetched. */
  content_changed_at: string | null
  /** Rows of its last run that answered, of all requests; null before the first. */
  rows: number | null
  /** Median rows of its runs over a week, by hours; null before there are three hours. */
  usual_rows: number | null
  /** The last failure of the last day; CIRCUIT_OPEN only when there was no other. */
  last_error_code: string | null
  last_error_message: string | null
  windows: HealthWindow[]
  /** Uptime of each of the last 30 UTC days, the oldest first; null without a run. Snapshots of 0.1.0 have none. */
  days?: (number | null)[]
}

export interface SourceHealthContent {
  health: SourceHealth[]
}

export interface SourceHealthIndex {
  publishedHealth: SourceHealth[]
  healthBySource: ReadonlyMap<string, SourceHealth>
}

export const health = definePublished({
  index: ({ health: healths }: SourceHealthContent): SourceHealthIndex => ({
    publishedHealth: healths,
    healthBySource: new Map(healths.map((health) => [health.source, health])),
  }),
  read: ({ publishedHealth }: SourceHealthIndex) => ({ sourceHealth: () => publishedHealth }),
})
