import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'

/** `1 hour and 16 minutes`, as the FAA writes durations. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const hoursText = `${hours} hour${hours === 1 ? '' : 's'}`
  const minutesText = `${rest} minute${rest === 1 ? '' : 's'}`
  if (hours === 0) return minutesText
  return rest === 0 ? hoursText : `${hoursText} and ${minutesText}`
}

/** `Sat Aug 15 19:38:46 2026 GMT`: the day of the month is not padded. */
export function updateTime(ms: number): string {
  return DateTime.fromMillis(ms, { zone: 'utc', locale: 'en-US' }).toFormat("EEE LLL d HH:mm:ss yyyy 'GMT'")
}

/** `11:15 pm EDT`: a clock without a date in the airport's zone. */
export function endTime(ms: number, zone: string): string {
  const at = DateTime.fromMillis(ms, { zone: zoneOf(zone), locale: 'en-US' })
  return `${at.toFormat('h:mm a').toLowerCase()} ${at.offsetNameShort}`
}

/** `May 28 at 16:00 UTC.`: no year, a full stop at the end. */
export function closureTime(ms: number): string {
  return DateTime.fromMillis(ms, { zone: 'utc', locale: 'en-US' }).toFormat("LLL d 'at' HH:mm 'UTC.'")
}

/** `20261121153000`. */
export function fcaTime(ms: number): string {
  return DateTime.fromMillis(ms, { zone: 'utc' }).toFormat('yyyyMMddHHmmss')
}

/** `0459`, in UTC. */
export function hhmm(ms: number): string {
  return DateTime.fromMillis(ms, { zone: 'utc' }).toFormat('HHmm')
}
