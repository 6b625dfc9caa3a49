import { z } from 'zod'
import { minutes, nullableMinutes } from '../../config/answer-schemas.ts'
import { groupBy } from '../../config/group-by.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'

/** One observed hour of a whole airport: its start and the mean wait in minutes. */
export interface ObservedMean {
  time: string
  mean: number
}

const samples = z.int()
const HourOfDaySchema = z.strictObject({
  hour: z.string(),
  median_minutes: minutes,
  p90_minutes: nullableMinutes,
  samples,
})

/** The fields of the answer that are calculated from observed hours. */
export const summaryFields = z.object({
  median_minutes: nullableMinutes,
  p90_minutes: nullableMinutes,
  quietest: z.array(HourOfDaySchema).describe('Hours of the day, local, the quietest first.'),
  busiest: z.array(HourOfDaySchema).describe('Hours of the day, local, the busiest first.'),
  without_wait: z
    .array(z.string())
    .describe('Local hours in which the usual wait is 0: empty or closed, so not recommended.'),
  week: z.array(
    z.strictObject({
      day: z.string(),
      median_minutes: minutes,
      quietest_hour: z.string(),
      quietest_minutes: minutes,
      busiest_hour: z.string(),
      busiest_minutes: minutes,
      samples,
    }),
  ),
  recent: z
    .strictObject({ days: samples, mean_minutes: minutes, usual_minutes: minutes, samples })
    .nullable()
    .describe('The last days against the same hours before them.'),
  trend: z
    .strictObject({ direction: z.enum(['rising', 'falling', 'steady']), minutes_per_week: z.number(), samples })
    .nullable(),
})
export type HistorySummary = z.output<typeof summaryFields>
export type HourOfDay = z.output<typeof HourOfDaySchema>
type Weekday = HistorySummary['week'][number]

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const MIN_FOR_P90 = 10
/** Hours of the day that are named, at either end. */
const NAMED_HOURS = 3
const MIN_COMPARED_HOURS = 12
const MIN_TREND_DAYS = 14
const MIN_HOURS_OF_DAY = 6
const DAYS_PER_WEEK = 7
/** Under this change over the whole period a trend is called steady: the figures are whole minutes. */
const STEADY_MINUTES = 2

interface LocalHour {
  /** Epoch ms. */
  start: number
  day: number
  weekday: number
  hour: number
  mean: number
}

const clockText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
/** Numbers in typed arrays are sorted without a call for each comparison. */
const ascending = (values: number[]) => Float64Array.from(values).sort()
/** The median in whole minutes. */
export const medianOf = (values: number[]) => Math.round(quantile(ascending(values), 0.5))
const p90Of = (values: number[]) => (values.length < MIN_FOR_P90 ? null : Math.round(quantile(ascending(values), 0.9)))
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The usual waits in the observed hours of an airport, in its local time: calculated from these hours alone. */
export function summaryOfHistory(hours: readonly ObservedMean[], timezone: string): HistorySummary {
  const starts = hours.map(({ time }) => Date.parse(time))
  const local = localClock(timezone, starts)
  const rows = hours.map(({ mean }, index): LocalHour => {
    return {
      start: starts[index]!,
      day: local.day[index]!,
      weekday: local.weekday[index]!,
      hour: local.hour[index]!,
      mean,
    }
  })
  const byHour = groupBy(rows, ({ hour }) => hour)
  const isEmpty = (hour: number) => medianOf(byHour.get(hour)!.map(({ mean }) => mean)) === 0
  const used = rows.filter(({ hour }) => !isEmpty(hour))
  // Hours in which the queue is empty or closed say nothing of how long one waits, unless there are no others.
  const means = (used.length > 0 ? used : rows).map(({ mean }) => mean)
  const withoutWait = [...byHour.keys()].filter(isEmpty).sort((a, b) => a - b)
  const hoursOfDay = [...byHour]
    .filter(([hour]) => !isEmpty(hour))
    .map(([hour, rowsOfHour]) => hourOfDay(hour, rowsOfHour))
  const quietFirst = hoursOfDay.toSorted((a, b) => a.median_minutes - b.median_minutes || a.hour.localeCompare(b.hour))
  return {
    median_minutes: rows.length === 0 ? null : medianOf(means),
    p90_minutes: p90Of(means),
    quietest: quietFirst.slice(0, NAMED_HOURS),
    busiest: quietFirst.slice(NAMED_HOURS).reverse().slice(0, NAMED_HOURS),
    without_wait: rangesOf(withoutWait),
    week: [...groupBy(rows, ({ weekday }) => weekday)]
      .sort(([a], [b]) => a - b)
      .flatMap(([weekday, rowsOfDay]) => weekdayOf(weekday, rowsOfDay, isEmpty)),
    recent: comparisonOf(rows),
    trend: trendOf(rows),
  }
}

function hourOfDay(hour: number, rows: LocalHour[]): HourOfDay {
  const means = rows.map(({ mean }) => mean)
  return { hour: clockText(hour), median_minutes: medianOf(means), p90_minutes: p90Of(means), samples: rows.length }
}

function weekdayOf(weekday: number, rows: LocalHour[], isEmpty: (hour: number) => boolean): Weekday[] {
  const used = rows.filter(({ hour }) => !isEmpty(hour))
  const hours = [...groupBy(used, ({ hour }) => hour)]
    .map(([hour, rowsOfHour]) => ({ hour, median: medianOf(rowsOfHour.map(({ mean }) => mean)) }))
    .sort((a, b) => a.median - b.median || a.hour - b.hour)
  const quietest = hours[0]
  const busiest = hours.find(({ median }) => median === hours.at(-1)!.median)
  if (!quietest || !busiest) return []
  return [
    {
      day: WEEKDAYS[weekday - 1]!,
      median_minutes: medianOf(used.map(({ mean }) => mean)),
      quietest_hour: clockText(quietest.hour),
      quietest_minutes: quietest.median,
      busiest_hour: clockText(busiest.hour),
      busiest_minutes: busiest.median,
      samples: used.length,
    },
  ]
}

/** Consecutive hours as clock ranges: 23:00 to 04:00 if the hours go on over midnight. */
function rangesOf(hours: number[]): string[] {
  const all = new Set(hours)
  if (all.size === 24) return ['00:00 to 24:00']
  const firsts = hours.filter((hour) => !all.has((hour + 23) % 24))
  return firsts.map((first) => {
    let end = first
    while (all.has(end % 24)) end += 1
    return `${clockText(first)} to ${clockText(end > 24 ? end - 24 : end)}`
  })
}

/**
 * The last week against the days before it where they are at least a week, or else the last day. Each hour is compared with the
 * median of the same hours before: those of the same weekday where there are any, so that a Sunday is not held against Mondays.
 */
function comparisonOf(rows: readonly LocalHour[]): HistorySummary['recent'] {
  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last) return null
  const days = last.start - first.start >= 2 * DAYS_PER_WEEK * DAY_MS - HOUR_MS ? DAYS_PER_WEEK : 1
  const from = last.start + HOUR_MS - days * DAY_MS
  const before = rows.filter(({ start }) => start < from)
  const sameWeekday = groupBy(before, ({ weekday, hour }) => weekday * 24 + hour)
  const sameHour = groupBy(before, ({ hour }) => hour)
  const pairs = rows
    .filter(({ start }) => start >= from)
    .flatMap(({ weekday, hour, mean }) => {
      const usual = (days === 1 ? undefined : sameWeekday.get(weekday * 24 + hour)) ?? sameHour.get(hour)
      return usual ? [{ mean, usual: quantile(ascending(usual.map((row) => row.mean)), 0.5) }] : []
    })
  if (pairs.length < MIN_COMPARED_HOURS) return null
  return {
    days,
    mean_minutes: Math.round(meanOf(pairs.map(({ mean }) => mean))),
    usual_minutes: Math.round(meanOf(pairs.map(({ usual }) => usual))),
    samples: pairs.length,
  }
}

/** The slope of the days' differences from what is usual in their hours, by the median of all slopes between two days (Theil and Sen). */
function trendOf(rows: readonly LocalHour[]): HistorySummary['trend'] {
  const usual = new Map(
    [...groupBy(rows, ({ hour }) => hour)].map(([hour, rowsOfHour]) => [
      hour,
      meanOf(rowsOfHour.map(({ mean }) => mean)),
    ]),
  )
  const days = [...groupBy(rows, ({ day }) => day)]
    .filter(([, rowsOfDay]) => rowsOfDay.length >= MIN_HOURS_OF_DAY)
    .map(([day, rowsOfDay]) => ({
      day,
      difference: meanOf(rowsOfDay.map(({ hour, mean }) => mean - usual.get(hour)!)),
    }))
  if (days.length < MIN_TREND_DAYS) return null
  const slopes: number[] = []
  for (const [index, from] of days.entries())
    for (const to of days.slice(index + 1)) slopes.push((to.difference - from.difference) / (to.day - from.day))
  const slope = quantile(ascending(slopes), 0.5)
  const change = slope * (days.at(-1)!.day - days[0]!.day)
  const moved = change > 0 ? 'rising' : 'falling'
  const direction = Math.abs(change) < STEADY_MINUTES ? 'steady' : moved
  return { direction, minutes_per_week: Math.round(slope * DAYS_PER_WEEK * 10) / 10, samples: days.length }
}
