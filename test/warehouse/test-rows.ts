import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { Delay } from '../../warehouse/tables/delays.ts'
import type { Backtest, Forecast } from '../../warehouse/tables/forecasts.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import type { Rollup } from '../../warehouse/tables/rollups.ts'
import type { Run } from '../../warehouse/tables/runs.ts'

/** The times of a row that was observed, fetched and landed at one instant. */
export const landedAt = (instant: string) => ({ observed_at: instant, fetched_at: instant, available_at: instant })

/** A plausible reading; override the fields of the test. */
export function reading(over: Partial<Reading> = {}): Reading {
  return {
    kind: 'security',
    source: 'sea-cwt',
    iata: 'SEA',
    terminal: '',
    checkpoint: '1',
    lane: 'standard',
    observed_at: '2026-11-20T10:05:00Z',
    observed_at_basis: 'source',
    fetched_at: '2026-11-20T10:06:00Z',
    available_at: '2026-11-20T10:06:00Z',
    wait_minutes: 7,
    wait_minutes_low: null,
    wait_minutes_high: null,
    wait_text: null,
    status: 'open',
    flags: [],
    capture_id: 'sea-cwt-1',
    ...over,
  }
}

/** A run of Seattle with one request that landed; override the fields of the test. */
export function run(started_at: string, over: Partial<Run> = {}): Run {
  return {
    source: 'sea-cwt',
    started_at,
    finished_at: started_at,
    outcome: 'landed',
    error_code: null,
    error_message: null,
    url: 'https://example.org/waits',
    http_status: 200,
    observed_at: started_at,
    sha256: `sha of ${started_at}`,
    bytes: 100,
    content_type: 'application/json',
    iata: null,
    parsed_rows: 5,
    new_rows: 5,
    notices: 0,
    capture_id: `sea-cwt-${started_at}`,
    ...over,
  }
}

/** The fields of a failed run. */
export const failed = (error_code = 'FETCH_FAILED'): Partial<Run> => ({
  outcome: 'failed',
  error_code,
  error_message: `${error_code}: the site is down`,
  http_status: null,
  observed_at: null,
  sha256: null,
  parsed_rows: 0,
  new_rows: 0,
})

/** A ground delay of Seattle as a capture listed it; override the fields of the test. */
export const listed = (observed_at: string, over: Partial<Delay> = {}): Delay => ({
  source: 'faa-nas-status',
  iata: 'SEA',
  faa_id: 'SEA',
  type: 'ground_delay',
  reason: 'low ceilings',
  reason_category: 'weather',
  average_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  trend: null,
  start: null,
  end: null,
  closed_to_airlines: null,
  closed_hours_utc: null,
  scope: null,
  observed_at,
  fetched_at: observed_at,
  available_at: observed_at,
  capture_id: `faa-${observed_at}`,
  ...over,
})

/** An observed hour at JFK, available when it ends; override the fields of the test. */
export const rollup = (hour_ms: number, mean: number, over: Partial<Rollup> = {}): Rollup => ({
  kind: 'security',
  level: 'airport',
  iata: 'JFK',
  terminal: '',
  checkpoint: '',
  lane: 'standard',
  hour: isoUtc(hour_ms),
  available_at: isoUtc(hour_ms + HOUR_MS),
  mean,
  p50: mean,
  p90: mean,
  max: mean,
  samples: 4,
  flagged: 0,
  source: 'panynj',
  ...over,
})

/** A forecast of one hour at JFK; override the fields of the test. */
export const forecast = (issued_ms: number, valid_ms: number, p50: number, over: Partial<Forecast> = {}): Forecast => ({
  kind: 'security',
  iata: 'JFK',
  terminal: '',
  direction: null,
  issued_at: isoUtc(issued_ms),
  valid_at: isoUtc(valid_ms),
  p10: Math.max(0, p50 - 4),
  p50,
  p90: p50 + 6,
  p_within_5: 0.7,
  samples: null,
  basis: 'predicted',
  model: 'model:JFK@2026-11-20T04Z',
  ...over,
})

/** A backtest of JFK; override the fields of the test. */
export const backtest = (over: Partial<Backtest>): Backtest => ({
  kind: 'security',
  iata: 'JFK',
  model: 'model:JFK@2026-11-20T04Z',
  trained_at: '2026-11-20T04:00:00Z',
  cutoff: '2026-11-20T04:00:00Z',
  evaluated_from: '2026-10-01T00:00:00Z',
  evaluated_to: '2026-11-20T00:00:00Z',
  samples: 500,
  mae_minutes: 3.2,
  rule_mae_minutes: 3.6,
  rule_pinball_minutes: 1.2,
  served_mae_minutes: 3.2,
  served_pinball_minutes: 1.1,
  baseline_mae_minutes: 4.1,
  pinball_minutes: 1.1,
  baseline_pinball_minutes: 1.4,
  coverage_80: 0.81,
  within_5: 0.73,
  served: 'model',
  ...over,
})
