import type { BorderDirection } from '../../../config/border-direction.ts'

/** An hour of a border forecast, in minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Observed hours that it is made of. */
  samples: number
}

/** How the same rule did on the last days, each forecast from what was known as it began. Null without a compared hour. */
export interface BorderBacktest {
  mae_minutes: number | null
  /** Fraction of the observed hours between p10 and p90. */
  coverage_80: number | null
  /** Fraction of them within 5 minutes of p50. */
  within_5: number | null
  samples: number
}

/** What is expected of the border queues of an airport that lead one way. */
export interface BorderForecast {
  iata: string
  direction: BorderDirection
  /** e.g. baseline:ZRH/entry@2026-11-21T14Z */
  version: string
  start_ms: number
  /** One entry an hour; null where its local hour was observed on too few days. */
  hours: (BorderHour | null)[]
  backtest: BorderBacktest
}
