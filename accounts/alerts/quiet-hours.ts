import { DateTime } from 'luxon'
import type { AlertRow } from '../../api/state/tables.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'

/** Local times HH:MM between which nothing is sent (end excluded); both null for none. */
type QuietHours = Pick<AlertRow, 'quiet_from' | 'quiet_to'>

/** Whether a wall clock time (HH:MM) lies in the quiet hours, which may span midnight. */
export function isQuiet({ quiet_from, quiet_to }: QuietHours, local_time: string): boolean {
  if (quiet_from === null || quiet_to === null) return false
  return quiet_from < quiet_to
    ? quiet_from <= local_time && local_time < quiet_to
    : quiet_from <= local_time || local_time < quiet_to
}

/** When the quiet hours next begin in a time zone, in epoch milliseconds; Infinity for none. */
export function nextQuietStart({ quiet_from }: QuietHours, timezone: string, now: number): number {
  if (quiet_from === null) return Number.POSITIVE_INFINITY
  const [hour = 0, minute = 0] = quiet_from.split(':').map(Number)
  const today = DateTime.fromMillis(now, { zone: zoneOf(timezone) }).set({ hour, minute, second: 0, millisecond: 0 })
  return today.toMillis() > now ? today.toMillis() : today.plus({ days: 1 }).toMillis()
}
