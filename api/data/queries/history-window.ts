import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { ParameterError, type ParameterFault, PremiumRequiredError } from '../../../config/errors.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { QueryContext } from './define.ts'
import { localDayAt, startOfDay } from './local-time.ts'

export const DEFAULT_DAYS = 7
const MOST_DAYS = TIERS.enterprise.history_days

/** What a caller may ask a stretch of history by: a number of days up to now, or local days from and to. */
export interface HistoryRequest {
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
  as_of?: string | undefined
}

/** A stretch of whole hours, epoch ms; `to` is excluded. */
export interface HistoryWindow {
  from: number
  to: number
}

/**
 * The hours a request means, never past the last full hour.
 * @throws ParameterError for a contradiction or more than 90 days; PremiumRequiredError for more than the tier has.
 */
export function historyWindow(request: HistoryRequest, timezone: string, context: QueryContext): HistoryWindow {
  const window = request.from === undefined ? lastDays(request, context.now) : localDays(request, timezone, context.now)
  const { history_days } = TIERS[context.tier]
  if (startsBefore(window, MOST_DAYS, timezone, context.now))
    throw new ParameterError([{ parameter: 'from', message: `must lie within the last ${MOST_DAYS} days` }])
  if (startsBefore(window, history_days, timezone, context.now))
    throw new PremiumRequiredError('enterprise', `more than ${history_days} days of history need Enterprise`)
  return window
}

const lastFullHour = (now: number) => Math.floor(now / HOUR_MS) * HOUR_MS

function lastDays({ days = DEFAULT_DAYS, to }: HistoryRequest, now: number): HistoryWindow {
  if (to !== undefined) throw new ParameterError([{ parameter: 'to', message: 'needs `from` as well' }])
  const end = lastFullHour(now)
  return { from: end - days * DAY_MS, to: end }
}

function localDays({ days, from, to, as_of }: HistoryRequest, timezone: string, now: number): HistoryWindow {
  const today = localDayAt(now, timezone)
  const last = to ?? today
  const latest = `${today}, ${as_of === undefined ? 'today' : 'the day of `as_of`'} at the airport`
  const faults: ParameterFault[] = []
  if (days !== undefined) faults.push({ parameter: 'days', message: 'cannot be combined with `from`' })
  if (from! > today) faults.push({ parameter: 'from', message: `must not be after ${latest}` })
  if (last > today) faults.push({ parameter: 'to', message: `must not be after ${latest}` })
  if (from! > last) faults.push({ parameter: 'from', message: 'must not be after `to`' })
  if (faults.length > 0) throw new ParameterError(faults)
  const start = Math.ceil(startOfDay(from!, timezone) / HOUR_MS) * HOUR_MS
  const end = Math.min(Math.ceil(startOfDay(last, timezone, 1) / HOUR_MS) * HOUR_MS, lastFullHour(now))
  return { from: Math.min(start, end), to: end }
}

/** A window may begin with the local day that many days ago, or that many times 24 hours ago if that is earlier. */
function startsBefore(window: HistoryWindow, days: number, timezone: string, now: number): boolean {
  const firstDay = startOfDay(localDayAt(now, timezone), timezone, -days)
  return window.from < Math.min(firstDay, lastFullHour(now) - days * DAY_MS)
}
