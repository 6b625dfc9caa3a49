import { notice } from '../../warehouse/tables/notices.ts'
import type { Place } from './minutes-value.ts'

/** Notes a row that cannot be a reading: it is no object, or names nothing. */
export function rowUnreadable(row: unknown, place: Place): null {
  place.notices.push(
    notice('row_unreadable', 'warning', place.path, 'A row is no object, or has no name.', row, place.iata),
  )
  return null
}

/** Notes a queue whose purpose is new to us; it is left out rather than counted as another kind's. */
export function queueUnknown(word: unknown, place: Place): null {
  place.notices.push(
    notice('queue_unknown', 'warning', place.path, 'What a queue is for is new to us.', word, place.iata),
  )
  return null
}

/** Notes once for a whole answer that some rows hold the source's filler instead of a wait. */
export function fillersNoted(count: number, place: Place): void {
  if (count === 0) return
  const message = 'Rows hold a filler instead of a wait; they land without one.'
  place.notices.push(notice('filler_value', 'info', place.path, message, count, place.iata))
}

/** Notes that a source calls its own number out of date. */
export function saysStale(value: unknown, place: Place): null {
  const message = 'The source calls its own number out of date.'
  place.notices.push(notice('source_says_stale', 'info', place.path, message, value, place.iata))
  return null
}
