import type { BorderDirection } from '../../../config/border-direction.ts'

/** An hour of a border forecast, in minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Observed hours that the quantiles are taken from. */
  samples: number
}

/** Scores of the same rule over the last seven days; null when no forecast hour was observed. */
export interface BorderBacktest {
  mae_minutes: number | null
  /** Fraction of the observed hours between p10 and p90. */
  coverage_80: number | null
  /** Fraction of the observed hours within 5 minutes of p50. */
  within_5: number | null
  samples: number
}

/** Forecast of the border queues of an airport that lead in one direction. */
export interface BorderForecast {
  iata: string
  direction: BorderDirection
  /** e.g. baseline:ZRH/entry@2026-11-21T14Z */
  version: string
  /** Start of the first hour, epoch milliseconds. */
  start_ms: number
  /** One entry an hour; null where the local hour was observed on too few days. */
  hours: (BorderHour | null)[]
  backtest: BorderBacktest
}
