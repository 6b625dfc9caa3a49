import type { BorderDirection } from '../../../config/border-direction.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'

/** An hour of a border forecast, in minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Days of the last 28 on which the hour was observed; null for a typical hour. */
  samples: number | null
  /** Probability that the wait is within 5 minutes of p50; null if it was not measured. */
  confidence: number | null
}

/** Scores of what serves on hours it had not seen; null when no forecast hour was observed. */
export interface BorderBacktest {
  mae_minutes: number | null
  /** Mean absolute error of the median of the same hour in 28 days; null if it is not compared. */
  baseline_mae_minutes: number | null
  /** Fraction of the observed hours between p10 and p90. */
  coverage_80: number | null
  /** Fraction of the observed hours within 5 minutes of p50. */
  within_5: number | null
  samples: number
}

/** Forecast of one border queue: an airport, one of its terminals, or its queues that lead in one direction. */
export interface BorderForecast {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  /** Null if passport control is not divided by direction. */
  direction: BorderDirection | null
  basis: 'predicted' | 'typical'
  /** e.g. model:JFK@2026-11-20T04Z-3fa9c1d2, baseline:ZRH/entry@2026-11-21T14Z or prior:immigration@2026-11-22 */
  version: string
  trained_at: string | null
  /** Start of the first hour, epoch milliseconds. */
  start_ms: number
  /** One entry an hour; null if the hour was observed on too few days. */
  hours: (BorderHour | null)[]
  backtest: BorderBacktest
  /** The source of a typical forecast and its error; null for a prediction. */
  note: string | null
}

export interface BorderForecastsContent {
  border_forecasts: BorderForecast[]
}

/** One queue of an airport: `direction` for Schengen airports, `terminal` for the others. */
export interface BorderQueue {
  direction?: BorderDirection
  terminal?: string
}

type QueueOfForecast = Partial<Pick<BorderForecast, 'direction' | 'terminal'>>
export const keyOf = (iata: string, { direction, terminal = '' }: QueueOfForecast) =>
  `${iata}/${direction ?? ''}/${terminal}`

interface BorderIndex {
  borderForecastByQueue: ReadonlyMap<string, BorderForecast>
}

export const borderForecasts = definePublished({
  index: ({ border_forecasts }: BorderForecastsContent): BorderIndex => ({
    borderForecastByQueue: new Map(border_forecasts.map((forecast) => [keyOf(forecast.iata, forecast), forecast])),
  }),
  read: ({ borderForecastByQueue }: BorderIndex, { atMs }) => ({
    /** Forecast of one queue from its own hours; null if there is none, or its last hour is over. */
    borderForecast(iata: string, queue: BorderQueue = {}): BorderForecast | null {
      const own = borderForecastByQueue.get(keyOf(iata, queue))
      return own && own.start_ms + own.hours.length * HOUR_MS > atMs ? own : null
    },
    /** Terminals whose passport control has a forecast from its own hours. */
    borderTerminals: (iata: string) =>
      [...borderForecastByQueue.values()].flatMap((forecast) =>
        forecast.iata === iata && forecast.terminal !== '' ? forecast.terminal : [],
      ),
  }),
})
