import { airportDirectory } from '../../config/airports/directory.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { horizonHours } from '../../forecasting/features/features.ts'
import { type HourlySeries, knownRows } from '../../forecasting/features/hourly-series.ts'
import { LOOKBACK_DAYS, type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { ownReadings, typicalClass } from '../../forecasting/prior/typical.ts'
import { emptyQuantiles, QUANTILE_NAMES } from '../../forecasting/quantiles/quantiles.ts'
import type { WaitQuantiles } from '../../forecasting/quantiles/wait-quantile.ts'
import { type Score, score } from '../../forecasting/skill/metrics.ts'
import { clamp, lowerBound } from '../../forecasting/statistics/statistics.ts'
import type { Backtest, Forecast } from '../../warehouse/tables/forecasts.ts'
import {
  type AdaptedHour,
  AdaptedSeries,
  type CalibratedHour,
  calibratedHour,
  type WeekTable,
  weekOf,
  widen,
} from './own-readings.ts'

/** The forecasts of an airport without a trained model: the prior, drawn to the airport by its own readings from the first one on. */

/** Days of the airport's own record, one origin a day, each forecasting the next 24 hours. */
const RECORD_DAYS = 14
/** The forecasts are called `predicted` when the record has this many hours, on this many days, and an error clearly below the prior's. */
const MIN_RECORD_HOURS = 72
const MIN_RECORD_DAYS = 5
const EARNED_SHARE = 0.96
/** A terminal that was not observed for this long may be gone. */
const MAX_TERMINAL_AGE_DAYS = 7
/** From the first age of an airport's readings to the second, its forecasts pass from the adapted prior to the model. */
const HANDOVER_DAYS = { from: 21, to: 28 } as const

/** The week that the shipped prior has for an airport, before its interval was calibrated. */
function priorOf(iata: string): WeekTable {
  const { table, widened_by } = typicalClass(airportDirectory().byIata.get(iata)!.size)
  return weekOf(table.map((cell) => widen(cell, 1 / widened_by)))
}

/**
 * Forecasts an airport and its terminals, HORIZON_HOURS from the current hour, from what was available at `issued_ms`; `group`
 * are its series, that of the whole airport first. Without an own reading there are none. A terminal is adapted from its
 * airport, as the airport is from the prior.
 */
export function adaptedForecasts(group: readonly HourlySeries[], issued_ms: number) {
  const [airport, ...terminals] = group.map(prepareSeries)
  const none = { forecasts: [], backtest: null }
  if (airport?.terminal !== '') return none
  const { iata } = airport
  const prior = priorOf(iata)
  const samples = knownRows(airport, issued_ms, LOOKBACK_DAYS).length
  if (samples === 0) return none
  const day_ms = Math.floor(issued_ms / DAY_MS) * DAY_MS
  const version = `adapted:${iata}@${utcDayOf(day_ms)}`
  const adapted = new AdaptedSeries(airport, prior, ownReadings())
  const backtest = recordOf(airport, adapted, prior, day_ms, version)
  const week = adapted.weekAt(issued_ms)
  const rows = (series: PreparedSeries, hours: readonly AdaptedHour[], own_hours: number): Forecast[] =>
    calibratedHours(series, hours, issued_ms).map(({ valid_ms, p10, p50, p90, p_within_5 }) => ({
      kind: 'security',
      iata,
      terminal: series.terminal,
      direction: null,
      issued_at: isoUtc(issued_ms),
      valid_at: isoUtc(valid_ms),
      p10,
      p50,
      p90,
      p_within_5,
      samples: own_hours,
      baseline_p10: null,
      baseline_p50: null,
      baseline_p90: null,
      model_p50: null,
      rule_p50: null,
      basis: backtest ? 'predicted' : 'typical',
      model: version,
    }))
  const terminalForecasts = terminals.flatMap((series) => {
    const own = knownRows(series, issued_ms, LOOKBACK_DAYS)
    const newest = own.at(-1)
    if (newest === undefined || issued_ms - series.hour_ms[newest]! > MAX_TERMINAL_AGE_DAYS * DAY_MS) return []
    return rows(series, new AdaptedSeries(series, week, ownReadings()).weekAt(issued_ms), own.length)
  })
  return { forecasts: [...rows(airport, week, samples), ...terminalForecasts], backtest }
}

/**
 * The forecasts of an airport, HORIZON_HOURS from each instant, from what was available then; ask in order of time. Null for an airport
 * outside the directory.
 */
export function adaptedForecaster(series: PreparedSeries): ((issued_ms: number) => HourOfWeek[]) | null {
  if (!airportDirectory().byIata.has(series.iata)) return null
  const adapted = new AdaptedSeries(series, priorOf(series.iata), ownReadings())
  return (issued_ms) => calibratedHours(series, adapted.weekAt(issued_ms), issued_ms)
}

/**
 * The shown forecast of an airport that has none of its own: the adapted prior, or the plain prior without any own reading of
 * the last half year. Null for an airport outside the directory.
 */
export function shownWithoutModel(series: PreparedSeries): ((issued_ms: number) => HourOfWeek[]) | null {
  const adapted = adaptedForecaster(series)
  if (!adapted) return null
  const { table } = typicalClass(airportDirectory().byIata.get(series.iata)!.size)
  const week = weekOf(
    table.map(({ p10, p50, p90, confidence }) => ({ p10, p50, p90, p_within_5: confidence ?? Number.NaN })),
  )
  return (issued_ms) =>
    knownRows(series, issued_ms, LOOKBACK_DAYS).length > 0 ? adapted(issued_ms) : hoursOfWeek(series, week, issued_ms)
}

/** The forecast of an hour; `p_within_5` is NaN if nothing is known of it. */
export interface HourOfWeek extends CalibratedHour {
  valid_ms: number
}

function calibratedHours(series: PreparedSeries, week: readonly AdaptedHour[], issued_ms: number): HourOfWeek[] {
  const { calibration } = ownReadings()
  return hoursOfWeek(
    series,
    week.map((hour) => calibratedHour(hour, calibration)),
    issued_ms,
  )
}

function hoursOfWeek({ timezone }: PreparedSeries, week: readonly CalibratedHour[], issued_ms: number): HourOfWeek[] {
  const valid_ms = horizonHours(issued_ms)
  const clock = localClock(timezone, valid_ms)
  return Array.from(valid_ms, (valid, k) => ({ ...week[weekHourAt(clock, k)]!, valid_ms: valid }))
}

/** The record of the last days as a row of `backtests`; null until the adapted prior has shown on enough hours that it beats the prior. */
function recordOf(
  series: PreparedSeries,
  adaptedSeries: AdaptedSeries,
  prior: WeekTable,
  day_ms: number,
  model: string,
): Backtest | null {
  const first = series.hour_ms[0] ?? day_ms
  const days = clamp(Math.floor((day_ms - first) / DAY_MS), 0, RECORD_DAYS)
  const adapted: CalibratedHour[] = []
  const alone: WaitQuantiles[] = []
  const truth: number[] = []
  const observedDays = new Set<number>()
  for (let ago = days; ago >= 1; ago--) {
    const origin = day_ms - ago * DAY_MS
    const week = adaptedSeries.weekAt(origin).map((hour) => calibratedHour(hour, ownReadings().calibration))
    for (let row = lowerBound(series.hour_ms, origin); row < lowerBound(series.hour_ms, origin + DAY_MS); row++) {
      if (series.available_ms[row]! > day_ms) continue
      const weekHour = weekHourAt(series.clock, row)
      adapted.push(week[weekHour]!)
      alone.push(prior[weekHour]!)
      truth.push(series.mean[row]!)
      observedDays.add(ago)
    }
  }
  const own = scoreOf(truth, adapted)
  const baseline = scoreOf(truth, alone)
  const isLongEnough = own.samples >= MIN_RECORD_HOURS && observedDays.size >= MIN_RECORD_DAYS
  if (!isLongEnough || own.mae_minutes >= EARNED_SHARE * baseline.mae_minutes) return null
  const day = isoUtc(day_ms)
  return {
    kind: 'security',
    iata: series.iata,
    model,
    trained_at: day,
    cutoff: day,
    evaluated_from: isoUtc(day_ms - days * DAY_MS),
    evaluated_to: isoUtc(day_ms - DAY_MS),
    samples: own.samples,
    mae_minutes: null,
    baseline_mae_minutes: baseline.mae_minutes,
    pinball_minutes: null,
    baseline_pinball_minutes: baseline.pinball_minutes,
    rule_mae_minutes: null,
    rule_pinball_minutes: null,
    served_mae_minutes: own.mae_minutes,
    served_pinball_minutes: own.pinball_minutes,
    coverage_80: own.coverage_80,
    within_5: own.within_5,
    served: 'prior',
  }
}

function scoreOf(truth: readonly number[], rows: readonly WaitQuantiles[]): Score {
  const quantiles = emptyQuantiles(rows.length)
  rows.forEach(({ p10, p50, p90 }, k) => {
    quantiles.p10[k] = p10
    quantiles.p50[k] = p50
    quantiles.p90[k] = p90
  })
  return score(Float64Array.from(truth), quantiles)
}

/** How much of the forecast is the trained model's at an instant: 0 before an airport can be trained, 1 a week later. */
export function modelShare({ hour_ms }: HourlySeries, issued_ms: number): number {
  const days = (issued_ms - (hour_ms[0] ?? issued_ms)) / DAY_MS
  return clamp((days - HANDOVER_DAYS.from) / (HANDOVER_DAYS.to - HANDOVER_DAYS.from), 0, 1)
}

/**
 * The forecasts of a new model, mixed with those that were served before it, so that answers do not jump on the day on which an airport
 * is trained for the first time. Hours that only one of the two forecasts stay as they are.
 */
export function handedOver(model: readonly Forecast[], adapted: readonly Forecast[], share: number): Forecast[] {
  const before = new Map(adapted.map((row) => [`${row.terminal}/${row.valid_at}`, row]))
  return model.map((row) => {
    const other = before.get(`${row.terminal}/${row.valid_at}`)
    if (!other) return row
    const known = row.p_within_5 !== null && other.p_within_5 !== null
    return {
      ...row,
      ...mapKeys(QUANTILE_NAMES, (name) => other[name] + share * (row[name] - other[name])),
      p_within_5: known ? other.p_within_5! + share * (row.p_within_5! - other.p_within_5!) : row.p_within_5,
    }
  })
}
