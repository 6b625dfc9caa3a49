import { CLOCK_AHEAD_MS } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { Parsed } from './collector.ts'

/**
 * Closes a parse with the laws of the readings table. A closed queue has no wait: sources go on publishing the last one.
 * A band has its lower end first. No reading is of a moment after the fetch: a forecast or a wrong clock is left out.
 * One key, one row: of rows that name the same queue and moment the first stays, with a notice where they disagree.
 */
export function finish(
  rows: ParsedReading[],
  notices: Notice[],
  { fetched_at }: { fetched_at: string },
): Parsed<'readings'> {
  const kept = new Map<string, ParsedReading>()
  const all = [...notices]
  for (const row of notInFuture(rows, fetched_at, all)) {
    const reading = row.status === 'closed' ? withoutWait(row) : withBandInOrder(row, all)
    const key = JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane, row.observed_at])
    const first = kept.get(key)
    if (first === undefined) kept.set(key, reading)
    else if (JSON.stringify(first) !== JSON.stringify(reading)) {
      const message = 'Two rows of one queue disagree; the first stays.'
      all.push(notice('duplicate_row', 'warning', key, message, reading.wait_minutes, row.iata))
    }
  }
  return { readings: [...kept.values()], notices: all }
}

/** The rows that are not of a moment after the fetch; the others are noticed. */
export function notInFuture(rows: ParsedReading[], fetched_at: string, notices: Notice[]): ParsedReading[] {
  const latest = Date.parse(fetched_at) + CLOCK_AHEAD_MS
  return rows.filter((row) => {
    if (Date.parse(row.observed_at) <= latest) return true
    const queue = JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane])
    const message = 'A row says that it was observed after it was fetched; it is left out.'
    notices.push(notice('observed_in_future', 'warning', queue, message, row.observed_at, row.iata))
    return false
  })
}

function withoutWait(row: ParsedReading): ParsedReading {
  return { ...row, wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
}

/** A band whose lower end is above its upper end says neither. */
function withBandInOrder(row: ParsedReading, notices: Notice[]): ParsedReading {
  const { wait_minutes_low: low, wait_minutes_high: high } = row
  if (low === null || high === null || low <= high) return row
  const message = 'The lower end of a band is above its upper end; neither is kept.'
  notices.push(notice('band_reversed', 'warning', row.checkpoint, message, `${low}-${high}`, row.iata))
  return { ...row, wait_minutes_low: null, wait_minutes_high: null }
}
