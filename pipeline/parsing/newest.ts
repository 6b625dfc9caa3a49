import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { notInFuture } from './finish.ts'

/** A day: what a feed still serves after it is a row that it forgot to take away (MIA, sixteen months; seen 2026-04). */
const FORGOTTEN_MS = 24 * 3_600_000

/** The newest row of each queue that is not of the future, without those that were forgotten; what is left out is noticed. */
export function newestOnly(rows: ParsedReading[], fetched_at: string, notices: Notice[]): ParsedReading[] {
  const newest = new Map<string, ParsedReading>()
  for (const row of notInFuture(rows, fetched_at, notices)) {
    const queue = JSON.stringify([row.kind, row.terminal, row.checkpoint, row.lane])
    if (Date.parse(fetched_at) - Date.parse(row.observed_at) > FORGOTTEN_MS) {
      const message = 'A row is over a day old; it is left out.'
      notices.push(notice('row_too_old', 'info', queue, message, row.observed_at, row.iata))
      continue
    }
    const other = newest.get(queue)
    if (other === undefined) newest.set(queue, row)
    else {
      const [kept, left] = row.observed_at > other.observed_at ? [row, other] : [other, row]
      newest.set(queue, kept)
      const message = 'A queue has a newer row; the older is left out.'
      notices.push(notice('row_superseded', 'info', queue, message, left.observed_at, row.iata))
    }
  }
  return [...newest.values()]
}
