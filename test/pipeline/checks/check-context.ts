import type { Source } from '../../../config/sources.ts'
import type { CheckContext } from '../../../pipeline/checks/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { reading } from '../../warehouse/test-rows.ts'

/** A check's context without earlier readings; every field can be overridden. */
export function checkContext(source: Source, fetched_at: string, fields: Partial<CheckContext> = {}): CheckContext {
  return {
    source,
    fetched_at,
    recent: new Map(),
    day_before: new Map(),
    others: [],
    lanes_before: new Map(),
    ...fields,
  }
}

/** A plausible reading of a minute before noon; override the fields of the test. */
export const parsedReading = (fields: Partial<ParsedReading> = {}): ParsedReading =>
  reading({ lane: 'all', observed_at: '2026-11-21T11:59:00Z', wait_minutes: 10, ...fields })
