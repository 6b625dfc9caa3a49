/**
 * How a source is doing. `degraded`: it answers, but its newest reading is old, its rows are far fewer than usual, or its content stands
 * still. `failing`: its last runs failed. `open_circuit`: it failed so often that only the canary asks it. `not_asked`: on, but never run yet.
 */
export const SOURCE_STATES = ['healthy', 'degraded', 'failing', 'open_circuit', 'not_asked', 'off'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** The stretches that uptime and freshness are told over, in hours. */
export const HEALTH_WINDOWS = [24, 168, 720] as const

export interface HealthWindow {
  hours: (typeof HEALTH_WINDOWS)[number]
  /** Runs in the window. */
  runs: number
  /** Fraction of runs that answered and could be read; null without a run. */
  uptime: number | null
  /** Fraction of the observed part of the window in which a reading under an hour old (a cadence, where that is longer) was at hand; null before the first run. */
  freshness: number | null
}

export interface SourceHealth {
  source: string
  state: SourceState
  /** When it came into this state; null when it was never in another. */
  since: string | null
  /** Why it is in this state, in one sentence; null when it is healthy. */
  reason: string | null
  last_success_at: string | null
  /** Newest time that its content claims, of all its readings. */
  newest_observed_at: string | null
  /** When its content last changed. */
  content_changed_at: string | null
  /** Rows of its last good round, and the median of its rounds of the last days; null before there are any. */
  rows: number | null
  usual_rows: number | null
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

/** `live`: a source tells of it now. `modelled`: a forecast or the worldwide prior does. `unavailable`: nothing does. */
export interface FactCoverage {
  fact: Fact
  state: 'live' | 'modelled' | 'unavailable'
  /** When it came into this state (ISO UTC); null when it has never been in another. */
  since: string | null
  /** Active sources of the fact; the version of the model for what is modelled. */
  sources: string[]
  /** Why it is unavailable or modelled only; null when it is live. */
  reason: string | null
}
