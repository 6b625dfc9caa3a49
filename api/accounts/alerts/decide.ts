import type { AlertRow } from '../../state/tables.ts'
import { isQuiet } from './quiet-hours.ts'

/** What an alert is judged by. */
export type Judged = Pick<
  AlertRow,
  'direction' | 'threshold_minutes' | 'state' | 'expires_at' | 'quiet_from' | 'quiet_to'
>

/** Least distance in minutes that a wait must come back by before an alert may fire again, and the share of the threshold. */
const HYSTERESIS_MINUTES = 3
const HYSTERESIS_SHARE = 0.2

/**
 * What becomes of an alert: it fires when the wait is beyond its threshold, outside its quiet hours; it is armed again
 * once the wait is back by the hysteresis. `local_time` is the airport's wall clock (HH:MM), `now` epoch milliseconds.
 */
export function decide(
  alert: Judged,
  wait_minutes: number | null,
  local_time: string,
  now: number,
): 'fire' | 'arm' | 'nothing' {
  if (wait_minutes === null || now >= Date.parse(alert.expires_at)) return 'nothing'
  if (alert.state === 'fired') return isBack(alert, wait_minutes) ? 'arm' : 'nothing'
  return isBeyond(alert, wait_minutes) && !isQuiet(alert, local_time) ? 'fire' : 'nothing'
}

function isBeyond({ direction, threshold_minutes }: Judged, wait_minutes: number): boolean {
  return direction === 'above' ? wait_minutes > threshold_minutes : wait_minutes < threshold_minutes
}

function isBack(alert: Judged, wait_minutes: number): boolean {
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
  // No wait is under zero: a low threshold must be reachable from below too.
  return threshold_minutes - Math.min(margin, Math.floor(threshold_minutes / 2))
}
