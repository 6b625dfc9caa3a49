import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, isoUtc, startOfHour } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { ruleWidening } from '../../forecasting/prior/immigration.ts'
import { emptyQuantiles } from '../../forecasting/quantiles/quantiles.ts'
import { type Score, score } from '../../forecasting/skill/metrics.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import type { Backtest, Forecast } from '../../warehouse/tables/forecasts.ts'
import { subjectName } from '../history/hourly-series.ts'

const TRAILING_DAYS = 28
export const BACKTEST_DAYS = 7
/** Working days and weekends are forecast apart when the hour was observed on this many days of each. */
const MIN_DAYS_TO_SPLIT = 4
/** An hour that was observed on fewer days than this is not forecast. */
const MIN_DAYS = 7
/** The API serves 24 hours; the rest bridges half a day in which no newer forecast is published. */
const HOURS_AHEAD = 36

/** Forecast of one hour, minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Observed hours that the quantiles are taken from. */
  samples: number
}

/** Observed waits by local hour, those of working days and of weekends apart. */
type WaitsByHour = { working: number[]; weekend: number[] }[]

const isWeekend = (weekday: number) => weekday >= 6

function waitsKnownAt(series: PreparedSeries, cutoff_ms: number): WaitsByHour {
  const waits: WaitsByHour = Array.from({ length: 24 }, () => ({ working: [], weekend: [] }))
  const { hour, weekday } = series.clock
  for (let row = 0; row < series.hour_ms.length; row++) {
    const known = series.available_ms[row]! <= cutoff_ms
    if (!known || series.hour_ms[row]! < cutoff_ms - TRAILING_DAYS * DAY_MS) continue
    waits[hour[row]!]![isWeekend(weekday[row]!) ? 'weekend' : 'working'].push(series.mean[row]!)
  }
  return waits
}

const tenths = (minutes: number) => Math.round(minutes * 10) / 10

function hourForecast(
  { working, weekend }: WaitsByHour[number],
  onWeekend: boolean,
  widenedBy: number,
): BorderHour | null {
  const all = [...working, ...weekend]
  const split = working.length >= MIN_DAYS_TO_SPLIT && weekend.length >= MIN_DAYS_TO_SPLIT
  if (!split && all.length < MIN_DAYS) return null
  const sameKindOfDay = onWeekend ? weekend : working
  const ascending = (split ? sameKindOfDay : all).toSorted((a, b) => a - b)
  const p50 = quantile(ascending, 0.5)
  const widened = (fraction: number) => tenths(Math.max(0, p50 + widenedBy * (quantile(ascending, fraction) - p50)))
  return { p10: widened(0.1), p50: tenths(p50), p90: widened(0.9), samples: ascending.length }
}

/**
 * Forecasts `hours` hours from `cutoff_ms` (epoch ms, a full hour) from what was known then: median, 10 % and 90 %
 * quantile of the same local hour in the 28 days before, these two moved away from the median by a factor that was measured to
 * cover 80 %. Null for an hour that was observed on too few days.
 */
export function sameHourForecast(
  series: PreparedSeries,
  cutoff_ms: number,
  hours: number,
  widenedBy = ruleWidening(),
): (BorderHour | null)[] {
  const waits = waitsKnownAt(series, cutoff_ms)
  const ahead = Float64Array.from({ length: hours }, (_, k) => cutoff_ms + k * HOUR_MS)
  const { hour, weekday } = localClock(series.timezone, ahead)
  return Array.from(hour, (local, k) => hourForecast(waits[local]!, isWeekend(weekday[k]!), widenedBy))
}

/**
 * Scores the same rule over the last seven days before `cutoff_ms`: one origin a day, 24 hours each, forecast from what
 * was known at the origin. Figures are NaN when no forecast hour was observed.
 */
export function backtestBorder(series: PreparedSeries, cutoff_ms: number): Score {
  const observed = new Map(Array.from(series.hour_ms, (hour, row) => [hour, series.mean[row]!]))
  const rows = BACKTEST_DAYS * 24
  const predicted = emptyQuantiles(rows)
  const truth = new Float64Array(rows).fill(Number.NaN)
  for (let day = 0; day < BACKTEST_DAYS; day++) {
    const origin = cutoff_ms - (day + 1) * DAY_MS
    for (const [ahead, forecast] of sameHourForecast(series, origin, 24).entries()) {
      if (!forecast) continue
      const row = day * 24 + ahead
      predicted.p10[row] = forecast.p10
      predicted.p50[row] = forecast.p50
      predicted.p90[row] = forecast.p90
      truth[row] = observed.get(origin + ahead * HOUR_MS) ?? Number.NaN
    }
  }
  return score(truth, predicted)
}

/**
 * Forecasts one series at `now` (epoch ms) from what was known when the current hour began, with its backtest.
 * Calibration: `p_within_5` is the fraction of backtest hours within 5 minutes.
 */
export function borderRows(history: HourlySeries, now: number) {
  const cutoff_ms = startOfHour(now)
  const series = prepareSeries(history)
  const hours = sameHourForecast(series, cutoff_ms, HOURS_AHEAD)
  if (hours.every((hour) => hour === null)) return { forecasts: [], backtest: null }
  const { iata, terminal } = history
  const direction = history.direction ?? null
  const cutoff = isoUtc(cutoff_ms)
  const model = `baseline:${subjectName(history)}@${cutoff.slice(0, 13)}Z`
  const measured = backtestBorder(series, cutoff_ms)
  const scored = measured.samples > 0
  const common = { kind: 'immigration', iata, model } as const
  const forecasts = hours.flatMap((hour, ahead): Forecast[] => {
    if (!hour) return []
    const valid_at = isoUtc(cutoff_ms + ahead * HOUR_MS)
    const p_within_5 = scored ? measured.within_5 : null
    return [{ ...common, ...hour, terminal, direction, issued_at: cutoff, valid_at, p_within_5, basis: 'predicted' }]
  })
  // A version has one backtest: that of the airport.
  const backtest: Backtest | null =
    scored && terminal === ''
      ? {
          ...common,
          trained_at: cutoff,
          cutoff,
          evaluated_from: isoUtc(cutoff_ms - BACKTEST_DAYS * DAY_MS),
          evaluated_to: isoUtc(cutoff_ms - DAY_MS),
          samples: measured.samples,
          mae_minutes: null,
          rule_mae_minutes: null,
          rule_pinball_minutes: null,
          served_mae_minutes: measured.mae_minutes,
          served_pinball_minutes: measured.pinball_minutes,
          baseline_mae_minutes: measured.mae_minutes,
          pinball_minutes: null,
          baseline_pinball_minutes: measured.pinball_minutes,
          coverage_80: measured.coverage_80,
          within_5: measured.within_5,
          served: 'baseline',
        }
      : null
  return { forecasts, backtest }
}
