import type { Source } from '../../../config/sources.ts'
import type { CheckContext } from '../../../pipeline/checks/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

/** A check's context without earlier readings; every field can be overridden. */
export function checkContext(source: Source, fetched_at: string, fields: Partial<CheckContext> = {}): CheckContext {
  return { source, fetched_at, recent: new Map(), others: [], lanes_before: new Map(), ...fields }
}

/** A plausible reading of a minute before noon; override the fields of the test. */
export const parsedReading = (fields: Partial<ParsedReading> = {}): ParsedReading => ({
  kind: 'security',
  iata: 'SEA',
  terminal: '',
  checkpoint: '1',
  lane: 'all',
  observed_at: '2026-11-21T11:59:00Z',
  observed_at_basis: 'source',
  wait_minutes: 10,
  wait_minutes_low: null,
  wait_minutes_high: null,
  wait_text: null,
  status: 'open',
  ...fields,
})
