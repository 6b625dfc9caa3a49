import { type Notice, notice } from '../../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import type { Parsed } from '../../collector.ts'

/**
 * Closes a parse with two laws of the readings table. A closed queue has no wait: sources go on publishing the last one.
 * One key, one row: of rows that name the same queue and moment the first stays, with a notice where they disagree.
 */
export function finish(rows: ParsedReading[], notices: Notice[]): Parsed<'readings'> {
  const kept = new Map<string, ParsedReading>()
  const all = [...notices]
  for (const row of rows) {
    const reading = row.status === 'closed' ? withoutWait(row) : row
    const key = JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane, row.observed_at])
    const first = kept.get(key)
    if (first === undefined) kept.set(key, reading)
    else if (JSON.stringify(first) !== JSON.stringify(reading))
      all.push(
        notice(
          'duplicate_row',
          'warning',
          key,
          'Two rows of one queue disagree; the first stays.',
          reading.wait_minutes,
          row.iata,
        ),
      )
  }
  return { readings: [...kept.values()], notices: all }
}

function withoutWait(row: ParsedReading): ParsedReading {
  return { ...row, wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
}
