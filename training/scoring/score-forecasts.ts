import { mapKeys } from '../../config/map-keys.ts'
import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import { QUANTILE_NAMES } from '../../forecasting/quantiles/quantiles.ts'
import { poolScores, type Score, score } from '../../forecasting/skill/metrics.ts'
import type { FileForecast } from './forecast-file.ts'

/** A forecast and the wait that was observed in its hour. */
export interface ObservedForecast {
  forecast: FileForecast
  observed: number
}

/** Scores of a set of forecasts; a bucket or a set without an observed hour has 0 samples. */
export interface ForecastScores {
  /** Each airport counts alike. */
  overall: Score
  horizons: ({ from_hours: number; to_hours: number } & Score)[]
  airports: ({ airport: string } & Score)[]
}

/** Scores forecasts against what was observed: overall, by hours ahead and by airport, in the order of the airports. */
export function scoreForecasts(rows: readonly ObservedForecast[]): ForecastScores {
  const airports = [...new Set(rows.map(({ forecast }) => forecast.airport))].sort().map((airport) => {
    const own = rows.filter(({ forecast }) => forecast.airport === airport)
    const truth = Float64Array.from(own, ({ observed }) => observed)
    const predicted = mapKeys(QUANTILE_NAMES, (name) => Float64Array.from(own, ({ forecast }) => forecast[name]))
    const within = (from: number, to: number) =>
      score(truth, predicted, (row) => own[row]!.forecast.ahead >= from && own[row]!.forecast.ahead < to)
    return { airport, all: score(truth, predicted), within }
  })
  return {
    overall: poolScores(airports.map(({ all }) => all)),
    horizons: HORIZON_BUCKETS.map(([from_hours, to_hours]) => ({
      from_hours,
      to_hours,
      ...poolScores(airports.map(({ within }) => within(from_hours, to_hours))),
    })),
    airports: airports.map(({ airport, all }) => ({ airport, ...all })),
  }
}
