import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { localClock } from '../../config/local-time.ts'
import { quantile } from '../../config/quantile.ts'
import type { BorderBacktest, BorderForecast, BorderHour } from './snapshot/border-types.ts'

/** The mean wait of one UTC hour, and when it could be known (epoch milliseconds). */
export interface ObservedHour {
  start_ms: number
  available_ms: number
  minutes: number
}

export const TRAILING_DAYS = 28
export const BACKTEST_DAYS = 7
/** Working days and weekends are told apart where each was observed on this many days at the hour. */
const ENOUGH_TO_SPLIT = 4
/** Fewer days, of either sort, are no pattern. */
export const ENOUGH_DAYS = 7
/** Beyond the 24 that are served, so that they are there still when nothing newer is published for half a day. */
const HOURS_AHEAD = 36

/** Waits by local hour; working days first, then weekends. */
type Slots = [working: number[], weekend: number[]][]

const isWeekend = (weekday: number) => (weekday >= 6 ? 1 : 0)

function slotsKnownAt(observed: readonly ObservedHour[], timezone: string, cutoff: number): Slots {
  const known = observed.filter(
    ({ start_ms, available_ms }) => available_ms <= cutoff && start_ms >= cutoff - TRAILING_DAYS * DAY_MS,
  )
  const starts = known.map(({ start_ms }) => start_ms)
  const { hour, weekday } = localClock(timezone, starts)
  const slots: Slots = Array.from({ length: 24 }, () => [[], []])
  for (const [at, { minutes }] of known.entries()) slots[hour[at]!]![isWeekend(weekday[at]!)].push(minutes)
  return slots
}

const tenth = (minutes: number) => Math.round(minutes * 10) / 10

function expected([working, weekend]: Slots[number], onWeekend: 0 | 1): BorderHour | null {
  const split = working.length >= ENOUGH_TO_SPLIT && weekend.length >= ENOUGH_TO_SPLIT
  const pool = split ? [working, weekend][onWeekend]! : [...working, ...weekend]
  if (!split && pool.length < ENOUGH_DAYS) return null
  const ascending = pool.toSorted((a, b) => a - b)
  const at = (fraction: number) => tenth(quantile(ascending, fraction))
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9), samples: pool.length }
}

/**
 * What is expected of some hours from `start` (epoch ms) on, by what was known then: the median and the 10 % and 90 %
 * quantiles of the same local hour in the 28 days before.
 */
export function sameHourForecast(
  observed: readonly ObservedHour[],
  timezone: string,
  start: number,
  hours: number,
): (BorderHour | null)[] {
  const slots = slotsKnownAt(observed, timezone, start)
  const { hour, weekday } = localClock(
    timezone,
    Array.from({ length: hours }, (_, ahead) => start + ahead * HOUR_MS),
  )
  return Array.from(hour, (local, at) => expected(slots[local]!, isWeekend(weekday[at]!)))
}

/** The same rule on each of the last seven days before `start`, by what was known as the day began, against what came. */
export function backtest(observed: readonly ObservedHour[], timezone: string, start: number): BorderBacktest {
  const truth = new Map(observed.map(({ start_ms, minutes }) => [start_ms, minutes]))
  const compared = Array.from({ length: BACKTEST_DAYS }, (_, back) => start - (back + 1) * DAY_MS).flatMap((origin) =>
    sameHourForecast(observed, timezone, origin, 24).flatMap((hour, ahead) => {
      const minutes = truth.get(origin + ahead * HOUR_MS)
      return hour && minutes !== undefined ? [{ ...hour, minutes }] : []
    }),
  )
  if (compared.length === 0) return { mae_minutes: null, coverage_80: null, within_5: null, samples: 0 }
  const errors = compared.map(({ minutes, p50 }) => Math.abs(minutes - p50))
  const share = (count: number) => count / compared.length
  return {
    mae_minutes: share(errors.reduce((sum, error) => sum + error, 0)),
    coverage_80: share(compared.filter(({ minutes, p10, p90 }) => minutes >= p10 && minutes <= p90).length),
    within_5: share(errors.filter((error) => error <= 5).length),
    samples: compared.length,
  }
}

/** The forecast of one direction of an airport's border at `now` (epoch ms); null when no hour can be told. */
export function borderForecast(
  { iata, direction, observed }: Pick<BorderForecast, 'iata' | 'direction'> & { observed: readonly ObservedHour[] },
  timezone: string,
  now: number,
): BorderForecast | null {
  const start_ms = Math.floor(now / HOUR_MS) * HOUR_MS
  const hours = sameHourForecast(observed, timezone, start_ms, HOURS_AHEAD)
  if (hours.every((hour) => hour === null)) return null
  const version = `baseline:${iata}/${direction}@${isoUtc(start_ms).slice(0, 13)}Z`
  return { iata, direction, version, start_ms, hours, backtest: backtest(observed, timezone, start_ms) }
}
