import { airportDirectory } from '../../config/airports/directory.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HORIZON_HOURS } from '../../config/vocabulary.ts'
import { forecastRows } from '../../forecasting/features/features.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { ownReadings } from '../../forecasting/prior/typical.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import { onStep } from '../forecasters/forecaster.ts'
import { ruleQuantiles } from '../forecasters/rule.ts'
import { hoursWithin } from '../history/hourly-series.ts'
import { AdaptedSeries, type WeekTable, weekOf } from '../prior/own-readings.ts'
import { type MeanErrors, meanErrors } from './mean-errors.ts'
import { observedAirports } from './prior.ts'
import { classTable } from './prior-table.ts'

/** Days of readings that an airport has when it is forecast. */
const OWN_DAYS = [1, 3, 7] as const

/**
 * The forecasts of a new airport: the prior of the other airports as its own readings move it, which is served, that prior
 * alone, and rule and same-hour median of its own readings. `trained` is what is served where the whole history is known.
 */
const NEW_AIRPORT_FORECASTS = ['served', 'prior', 'rule', 'baseline', 'trained'] as const
type NewAirportForecast = (typeof NEW_AIRPORT_FORECASTS)[number]

/** How near the forecasts of a new airport are on the scored hours of a backtest; each airport counts alike. */
export interface NewAirports extends MeanErrors<NewAirportForecast> {
  own_days: number
  /** Hours that were observed in the own days, a mean over origins. */
  own_hours: number
}

/**
 * Forecasts from the origins of a backtest as if the readings of an airport had begun some days before each; `series` are parallel to
 * `runs`. The prior is made from the other airports' hours before the first scored origin.
 */
export function newAirports(runs: readonly SeriesBacktest[], series: readonly PreparedSeries[]): NewAirports[] {
  const first_ms = Math.min(...runs.flatMap(({ issued_ms, scored }) => issued_ms[scored.indexOf(1)] ?? []))
  const observed = observedAirports(
    series.map((queueSeries) => hoursWithin(queueSeries, Number.NEGATIVE_INFINITY, first_ms)),
  )
  return OWN_DAYS.map((own_days) => {
    const scores = runs.flatMap((run, k) => {
      const others = observed.filter(({ iata, hours }) => iata !== run.iata && hours > 0)
      if (others.length === 0) return []
      const prior = weekOf(classTable(others, airportDirectory().byIata.get(run.iata)!.size))
      return scoreOfNew(run, series[k]!, prior, own_days) ?? []
    })
    const own_hours = mean(scores.map((score) => score.own_hours))
    return { own_days, own_hours, ...meanErrors(NEW_AIRPORT_FORECASTS, scores) }
  })
}

/** Sums of absolute errors of an airport; null if no hour can be scored. */
function scoreOfNew(run: SeriesBacktest, series: PreparedSeries, prior: WeekTable, own_days: number) {
  const trained = servedForecasts(run).p50
  const errors = mapKeys(NEW_AIRPORT_FORECASTS, () => 0)
  const ownHours: number[] = []
  let samples = 0
  for (let start = 0; start < run.truth.length; start += HORIZON_HOURS) {
    const issued_ms = run.issued_ms[start]!
    if (run.scored[start] !== 1) continue
    const own = prepareSeries(hoursWithin(series, issued_ms - own_days * DAY_MS, issued_ms))
    const rows = own.hour_ms.length === 0 ? null : forecastRows(own, issued_ms)
    if (rows === null) continue
    ownHours.push(own.hour_ms.length)
    const rule = onStep(ruleQuantiles(rows), rows).p50
    const adapted = new AdaptedSeries(own, prior, ownReadings()).weekAt(issued_ms)
    const clock = localClock(series.timezone, run.valid_ms.subarray(start, start + HORIZON_HOURS))
    for (let ahead = 0; ahead < HORIZON_HOURS; ahead++) {
      const truth = run.truth[start + ahead]!
      if (Number.isNaN(truth)) continue
      samples++
      const weekHour = weekHourAt(clock, ahead)
      errors.served += Math.abs(truth - adapted[weekHour]!.p50)
      errors.prior += Math.abs(truth - prior[weekHour]!.p50)
      errors.rule += Math.abs(truth - rule[ahead]!)
      errors.baseline += Math.abs(truth - rows.same_hour_p50[ahead]!)
      errors.trained += Math.abs(truth - trained[start + ahead]!)
    }
  }
  return samples === 0 ? null : { errors, samples, own_hours: mean(ownHours) }
}
