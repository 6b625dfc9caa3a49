import type { Source } from '../../config/sources.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { CaptureHead } from '../../warehouse/storage/raw-captures.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { runChecks } from '../checks/index.ts'
import type { Collector, Parsed } from '../parsing/collector.ts'
import type { EarlierReadings } from './recent-readings.ts'
import { withTimeOfChange } from './time-of-change.ts'

/**
 * Checks the rows that a parser returned, and adds the source, the fetch time and the capture to each row and notice. `observed_at` is
 * the time that the payload gives for itself, else that of its newest row; null if it has neither.
 */
export function checkAndStamp(
  collector: Collector,
  parsed: Parsed,
  source: Source,
  capture: Pick<CaptureHead, 'capture_id' | 'fetched_at'>,
  earlier: EarlierReadings,
) {
  const { capture_id, fetched_at } = capture
  const stamps = { source: source.id, fetched_at, available_at: fetched_at, capture_id }
  const context = { ...earlier, source, fetched_at }
  const timed = collector.lands === 'readings' ? withTimeOfChange(parsed.readings as ParsedReading[], context) : null
  const checked = timed && runChecks(timed, context)
  const rows = (timed ?? parsed.readings).map((row, index) =>
    checked === null ? { ...row, ...stamps } : { ...row, ...stamps, flags: checked.flags.get(index) ?? [] },
  )
  const notices = [...parsed.notices, ...(checked?.notices ?? [])].map((notice) => ({
    ...notice,
    source: source.id,
    noticed_at: fetched_at,
    capture_id,
  }))
  return { rows, notices, observed_at: parsed.observed_at ?? newestTime(parsed) }
}

function newestTime(parsed: Parsed): string | null {
  const times = parsed.readings.flatMap((row) => {
    if ('observed_at' in row) return [Date.parse(row.observed_at)]
    return 'issued_at' in row ? [Date.parse(row.issued_at)] : []
  })
  return times.length === 0 ? null : isoUtc(Math.max(...times))
}
