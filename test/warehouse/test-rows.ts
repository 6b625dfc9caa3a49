import type { Reading } from '../../warehouse/tables/readings.ts'
import type { Run } from '../../warehouse/tables/runs.ts'

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
