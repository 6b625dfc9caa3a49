/**
 * How a source is doing. `degraded`: it answers, but its newest reading is old, its rows are far fewer than usual, its content stands
 * still, or too many of its last runs failed; so a source that was down comes back by way of it. `failing`: its last two runs failed, or
 * all there are. `open_circuit`: it failed so often that only the canary asks it. `not_asked`: on, but never run yet. The table of
 * transitions is in warehouse/README.md.
 */
export const SOURCE_STATES = ['healthy', 'degraded', 'failing', 'open_circuit', 'not_asked', 'off'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** The stretches that uptime and freshness are told over, in hours. */
export const HEALTH_WINDOWS = [24, 168, 720] as const

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

/** What can be asked of an airport. */
export const FACTS = [
  'security',
  'check_in',
  'immigration',
  'customs',
  'delays',
  'weather',
  'predictions',
  'history',
] as const
export type Fact = (typeof FACTS)[number]

/**
 * `live`: a source tells of it now. `modelled`: a forecast or the worldwide prior does. `unavailable`: nothing does.
 * Decided so: a queue is live until its newest wait has expired (six hours), then `security` alone is modelled where there is a forecast.
 * `delays` are live where the FAA has answered in six hours, a quiet answer included; `weather` where the station has reported in six.
 * `predictions` are modelled by nature, never live. `history` is live where observed security hours of the last 90 days are served.
 */
export interface FactCoverage {
  fact: Fact
  state: 'live' | 'modelled' | 'unavailable'
  /**
   * When it came into this state (ISO UTC): as seen at publishing, for airports that have a source; the expiry itself, where nothing newer
   * has been published since; the day of the prior, for what it models. Null when it has never been seen in another.
   */
  since: string | null
  /** Active sources of the fact, those that gave it first; the version of the model for what is modelled. */
  sources: string[]
  /** Why it is unavailable or modelled only; null when it is live. */
  reason: string | null
}
