import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { ParameterError, type ParameterFault, PremiumRequiredError } from '../../../config/errors.ts'
import { TIERS, tierCovers } from '../../../config/tiers.ts'
import type { QueryContext } from './define.ts'
import { localDayAt, startOfDay } from './local-time.ts'

export const DEFAULT_DAYS = 7
const MAX_DAYS = TIERS.enterprise.history_days

/** The parameters that select hours of the history: a number of days up to now, or local days `from` and `to`. */
export interface HistoryRequest {
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
  as_of?: string | undefined
}

/** A range of whole hours, epoch ms; `to` is excluded. */
export interface HistoryWindow {
  from: number
  to: number
}

/**
 * The hours that a request selects, never after the last full hour before `asOf` (epoch ms). The days of Pro are counted
 * back from `now`, also with `as_of`: an earlier `as_of` selects a shorter period, never an older one.
 * @throws ParameterError for contradicting parameters or more than 90 days; PremiumRequiredError for more days than the tier has
 */
export function historyWindow(
  request: HistoryRequest,
  timezone: string,
  { now, tier }: Pick<QueryContext, 'now' | 'tier'>,
  asOf = now,
): HistoryWindow {
  const window = request.from === undefined ? lastDays(request, asOf) : localDays(request, request.from, timezone, asOf)
  if (startsBefore(window, MAX_DAYS, timezone, asOf))
    throw new ParameterError([{ parameter: 'from', message: `must lie within the last ${MAX_DAYS} days` }])
  const { history_days } = TIERS[tier]
  if (tierCovers(tier, 'enterprise') || !startsBefore(window, history_days, timezone, now)) return window
  // Without a period the answer holds what the tier includes; a requested period is never cut silently.
  if (request.days === undefined && request.from === undefined)
    return { from: Math.min(lastFullHour(now) - history_days * DAY_MS, window.to), to: window.to }
  throw new PremiumRequiredError('enterprise', `history more than ${history_days} days back needs Enterprise`)
}

const lastFullHour = (now: number) => Math.floor(now / HOUR_MS) * HOUR_MS

function lastDays({ days = DEFAULT_DAYS, to }: HistoryRequest, now: number): HistoryWindow {
  if (to !== undefined) throw new ParameterError([{ parameter: 'to', message: 'needs `from` as well' }])
  const end = lastFullHour(now)
  return { from: end - days * DAY_MS, to: end }
}

function localDays({ days, to, as_of }: HistoryRequest, first: string, timezone: string, now: number): HistoryWindow {
  const today = localDayAt(now, timezone)
  const last = to ?? today
  const latest = `${today}, ${as_of === undefined ? 'today' : 'the day of `as_of`'} at the airport`
  const faults: ParameterFault[] = []
  if (days !== undefined) faults.push({ parameter: 'days', message: 'cannot be combined with `from`' })
  if (first > today) faults.push({ parameter: 'from', message: `must not be after ${latest}` })
  if (last > today) faults.push({ parameter: 'to', message: `must not be after ${latest}` })
  if (first > last) faults.push({ parameter: 'from', message: 'must not be after `to`' })
  if (faults.length > 0) throw new ParameterError(faults)
  const start = Math.ceil(startOfDay(first, timezone) / HOUR_MS) * HOUR_MS
  const end = Math.min(Math.ceil(startOfDay(last, timezone, 1) / HOUR_MS) * HOUR_MS, lastFullHour(now))
  return { from: Math.min(start, end), to: end }
}

/**
 * Whether a window starts earlier than `days` days allow: before the local day that many days ago, and before that many
 * times 24 hours ago.
 */
function startsBefore(window: HistoryWindow, days: number, timezone: string, now: number): boolean {
  const firstDay = startOfDay(localDayAt(now, timezone), timezone, -days)
  return window.from < Math.min(firstDay, lastFullHour(now) - days * DAY_MS)
}
