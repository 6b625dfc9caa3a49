import type { Reading } from '../../warehouse/tables/readings.ts'

/** A plausible reading; override what the test is about. */
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
