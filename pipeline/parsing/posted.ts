import { notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { levelIn } from './level.ts'
import { readMinutesText } from './minutes-text.ts'
import { inRange, type Place } from './minutes-value.ts'

export type PostedColumns = Pick<
  ParsedReading,
  'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high' | 'wait_text' | 'status'
>

/** "10" and "4 mins" are numbers, not words. */
const PLAIN_NUMBER = /^\d+(\.\d+)? ?(min(ute)?s?)?$/i

/** The wait columns of a posted text; words we do not know are kept as text, with a notice. */
export function postedWait(text: string, place: Place): PostedColumns {
  const { understood, ...posted } = readMinutesText(text)
  // A level has a notice of its own, from the check of all readings.
  if (!understood && levelIn(text) === null)
    place.notices.push(
      notice('wait_text_unknown', 'warning', place.path, 'A wait text is new to us.', text, place.iata),
    )
  return {
    ...posted,
    wait_minutes: inRange(posted.wait_minutes, text, place),
    wait_minutes_low: inRange(posted.wait_minutes_low, text, place),
    wait_minutes_high: inRange(posted.wait_minutes_high, text, place),
    wait_text: text === '' || PLAIN_NUMBER.test(text) ? null : text,
  }
}
