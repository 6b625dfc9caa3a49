import type { BusyDays } from '../departure/get-busy-days.ts'
import { dayText } from '../statements/local-clock.ts'

/** A busier day or a holiday in words: `Thu 24 Dec, the day before Christmas Day: waits about 1.4 times the usual`; null for any other day. */
export function busyDayText({ date, expected, why, wait_factor }: BusyDays['days'][number]): string | null {
  if (expected === 'holiday') return `${dayText(date)}, ${why}: how busy is not known`
  if (expected !== 'busier') return null
  return `${dayText(date)}, ${why}: waits about ${(wait_factor ?? 1).toFixed(1)} times the usual`
}

/** What the busier days of the last 90 days were like here; null where too few were observed. */
export const pastBusyText = ({ past_factor }: BusyDays): string | null =>
  past_factor === null
    ? null
    : `On such days of the last 90 the waits here were ${past_factor.toFixed(1)} times the usual.`
