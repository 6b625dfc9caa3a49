import { clockOf, localTime } from '../../answers/statements/local-time.ts'
import type { AlertRow } from '../../api/state/tables.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'

/** The fields of an alert that decide when it fires. */
export type AlertCondition = Pick<
  AlertRow,
  'direction' | 'threshold_minutes' | 'state' | 'expires_at' | 'quiet_from' | 'quiet_to'
>

/** How far a wait must return past the threshold before the alert may fire again: minutes, and share of the threshold. */
const HYSTERESIS_MINUTES = 3
const HYSTERESIS_SHARE = 0.2

/**
 * Decides what happens to an alert: it fires when the wait has crossed its threshold outside the quiet hours, and is armed
 * again once the wait has returned past the hysteresis. `local_time` is the airport's wall clock (HH:MM), `now` epoch milliseconds.
 */
export function decideAlert(
  alert: AlertCondition,
  wait_minutes: number | null,
  local_time: string,
  now: number,
): 'fire' | 'arm' | 'nothing' {
  if (wait_minutes === null || now >= Date.parse(alert.expires_at)) return 'nothing'
  if (alert.state === 'fired') return hasReturned(alert, wait_minutes) ? 'arm' : 'nothing'
  return hasCrossed(alert, wait_minutes) && !isQuiet(alert, local_time) ? 'fire' : 'nothing'
}

function hasCrossed({ direction, threshold_minutes }: AlertCondition, wait_minutes: number): boolean {
  return direction === 'above' ? wait_minutes > threshold_minutes : wait_minutes < threshold_minutes
}

function hasReturned(alert: AlertCondition, wait_minutes: number): boolean {
  const level = returnLevel(alert)
  return alert.direction === 'above' ? wait_minutes <= level : wait_minutes >= level
}

/** The wait in minutes at which a fired alert is armed again. */
export function returnLevel({
  direction,
  threshold_minutes,
}: Pick<AlertRow, 'direction' | 'threshold_minutes'>): number {
  const margin = Math.max(HYSTERESIS_MINUTES, Math.ceil(threshold_minutes * HYSTERESIS_SHARE))
  if (direction === 'below') return threshold_minutes + margin
  // A wait is never below zero, so the return level of a low threshold must stay reachable.
  return threshold_minutes - Math.min(margin, Math.floor(threshold_minutes / 2))
}

/** Local times HH:MM between which nothing is sent (end excluded); both null for none. */
type QuietHours = Pick<AlertRow, 'quiet_from' | 'quiet_to'>

/** Whether a wall clock time (HH:MM) lies in the quiet hours, which may span midnight. */
export function isQuiet({ quiet_from, quiet_to }: QuietHours, local_time: string): boolean {
  if (quiet_from === null || quiet_to === null) return false
  return quiet_from < quiet_to
    ? quiet_from <= local_time && local_time < quiet_to
    : quiet_from <= local_time || local_time < quiet_to
}

/**
 * The first full minute after `from` in the quiet hours, or `to` if none is before it. Minute by minute, because the clock may be set
 * past the hour at which they begin, or show it twice.
 */
export function nextQuietMinute(quiet: QuietHours, timezone: string, from: number, to: number): number {
  if (quiet.quiet_from === null) return to
  for (let minute = from - (from % MINUTE_MS) + MINUTE_MS; minute < to; minute += MINUTE_MS)
    if (isQuiet(quiet, clockOf(localTime(minute, timezone)))) return minute
  return to
}
