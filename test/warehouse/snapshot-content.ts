import { ForecastBuilder } from '../../warehouse/publishing/gather/forecast-block.ts'
import type { Accuracy } from '../../warehouse/publishing/read/accuracy.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'

/** The record of an installation that has none. */
export const NO_ACCURACY: Accuracy = {
  recorded_since: null,
  until: '1970-01-01T00:00:00Z',
  records: [],
  backtests: [],
  overall: [],
  misses: [],
  drifting: [],
}

/** Empty content of a snapshot; override the fields of the test. */
export function emptyContent(generated_at: string, over: Partial<SnapshotContent> = {}): SnapshotContent {
  return {
    generated_at,
    simulated: false,
    queues: [],
    source_figures: [],
    opening_hours: [],
    forecasts: new ForecastBuilder().build(),
    history: [],
    border_forecasts: [],
    accuracy: NO_ACCURACY,
    delays: {},
    faa_airports: ['SEA', 'JFK'],
    quiet: {
      supported: true,
      status: 'normal',
      unavailable_reason: null,
      programs: [],
      closures: [],
      basis: 'measured',
      observed_at: generated_at,
      age_seconds: 0,
      source: 'faa-nas-status',
      freshness: 'live',
    },
    flow_programs: [],
    weather: [],
    tafs: [],
    weather_alerts: null,
    screened: {},
    maps: new Map(),
    health: [],
    coverage: {},
    facts: {},
    ...over,
  }
}
