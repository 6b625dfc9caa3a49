import { DateTime } from 'luxon'
import { capitalised } from '../../answers/statements/text.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import { type ForecastHour, isByDay, isOneDay } from '../charts/band-chart.ts'
import { WEEKDAYS } from '../charts/heatmap-chart.ts'
import type { BandAnswer, HistoryAnswer, UsualAnswer } from './answers.ts'

/** The conclusion of a chart, as its title. */

/** Waits under these minutes are worth a change of plan. */
const STEPS = [5, 10, 20, 40]
/** Hours that a wait must stay short before the page recommends them. */
const QUIET_HOURS = 3
/** A difference of fewer minutes changes no plan. */
const SMALL_DIFFERENCE = 5

type OpenForecast = ForecastHour & { wait_minutes: number }
const isOpen = (hour: ForecastHour): hour is OpenForecast => hour.wait_minutes !== null

/** Somebody who looks now leaves within these hours, or plans for a later day. */
const SOON_MS = 6 * HOUR_MS

/**
 * `Go after 19:00: under 5 min`; `Busiest at 15:00: about 15 min`; `About 2–5 min for six hours, 22 at 07:00 on Sunday`. The
 * next six hours come first. The hours begin with the next full one.
 */
export function bandConclusion({ ahead, past, timezone, now, current_minutes }: BandAnswer): string {
  const coming = ahead.filter(({ time }) => Date.parse(time) > now)
  const expected = coming.filter(isOpen)
  const period = isOneDay({ ahead, now }) ? 'the next 24 hours' : 'all of these hours'
  if (coming.length === 0)
    return `The ${past.some(({ observed_minutes }) => observed_minutes !== null) ? 'last' : 'next'} 24 hours`
  if (expected.length === 0) return `Expected to be closed for ${period}`
  const open = expected.filter((hour) => hour.status === 'open' || isByDay(hour, timezone))
  if (open.length === 0) return capitalised(period)
  const when = open.length === expected.length ? 'at all hours' : 'by day'
  const waits = open.map(({ wait_minutes }) => wait_minutes)
  const [least, most] = [Math.min(...waits), Math.max(...waits)]
  if (most - least < SMALL_DIFFERENCE) return `About ${least === most ? most : `${least}–${most}`} min ${when}`
  const clock = ({ time }: ForecastHour) => clockWithDay(time, timezone, now)
  const busiestText = (hours: OpenForecast[]) => {
    const busiest = hours.reduce((a, b) => (b.wait_minutes > a.wait_minutes ? b : a))
    return `Busiest at ${clock(busiest)}: about ${busiest.wait_minutes} min`
  }
  const current = current_minutes ?? ahead[0]?.wait_minutes ?? open[0]!.wait_minutes
  const better = betterHour(open, current)
  if (better) return `Go after ${clock(better.hour)}: under ${better.step} min`
  const soon = open.filter(({ time }) => Date.parse(time) <= now + SOON_MS)
  if (soon.length === 0) return busiestText(open)
  const soonWaits = soon.map(({ wait_minutes }) => wait_minutes)
  const [low, high] = [Math.min(...soonWaits), Math.max(...soonWaits)]
  if (high - low >= SMALL_DIFFERENCE) return busiestText(soon)
  return `${low === high ? high : `${low}–${high}`} min for six hours. ${busiestText(open)}`
}

/** The shortest class of waits that is reached within hours of the soonest improvement; null if waiting gains too little. */
function betterHour(open: readonly OpenForecast[], current: number): { hour: OpenForecast; step: number } | null {
  const reached = STEPS.flatMap((step) => {
    const hour = step <= current ? quietFrom(open, step) : null
    return hour && current - hour.wait_minutes >= SMALL_DIFFERENCE
      ? [{ hour, step, instant: Date.parse(hour.time) }]
      : []
  })
  const soonest = Math.min(...reached.map(({ instant }) => instant))
  return reached.find(({ instant }) => instant <= soonest + QUIET_HOURS * HOUR_MS) ?? null
}

/** The first hour from which the wait stays under some minutes for hours; null if it never does. */
const quietFrom = (open: readonly OpenForecast[], minutes: number): OpenForecast | null =>
  open.find((_, index) => {
    const next = open.slice(index, index + QUIET_HOURS)
    return next.length === QUIET_HOURS && next.every(({ wait_minutes }) => wait_minutes < minutes)
  }) ?? null

/** A clock, with its weekday where that is another than today. */
function clockWithDay(instant: string, timezone: string, now: number): string {
  const time = DateTime.fromISO(instant, { zone: zoneOf(timezone) }).setLocale('en')
  const clock = time.toFormat('HH:mm')
  return time.hasSame(DateTime.fromMillis(now, { zone: zoneOf(timezone) }), 'day')
    ? clock
    : `${clock} on ${time.toFormat('cccc')}`
}

/** `Longest on Friday at 07:00: usually 22 min`. */
export function usualConclusion({ hours }: UsualAnswer): string {
  const [first, ...others] = hours
  if (!first) return 'The week'
  const busiest = others.reduce((a, b) => (b.p50 > a.p50 ? b : a), first)
  const shortest = Math.round(Math.min(...hours.map(({ p50 }) => p50)))
  if (shortest === Math.round(busiest.p50)) return `About ${shortest} min in every hour that was observed`
  const clock = `${String(busiest.hour).padStart(2, '0')}:00`
  return `Longest on ${WEEKDAYS[busiest.day_of_week - 1]} at ${clock}: usually ${Math.round(busiest.p50)} min`
}

/** `In the last 90 days half of the days were between 9 and 14 min`. */
export function historyConclusion({ days, period }: HistoryAnswer): string {
  const medians = days.map(({ p50 }) => p50).sort((a, b) => a - b)
  if (medians.length < 2) return `The last ${period} days`
  const [low, high] = [Math.round(quantile(medians, 0.25)), Math.round(quantile(medians, 0.75))]
  return `Most of the last ${period} days: ${low === high ? low : `${low}–${high}`} min`
}
