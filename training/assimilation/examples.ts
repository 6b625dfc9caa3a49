import { HOUR_MS } from '../../config/domain.ts'
import { type Deviation, deviationRatio } from '../../forecasting/assimilation/assimilate.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import type { ObservedWaits } from './observed-waits.ts'

/** A forecast hour with a reading made before it and the mean wait that was observed in it; minutes. */
export interface AssimilationExample {
  iata: string
  observed_ms: number
  /** From the reading to the middle of the hour. */
  lead_hours: number
  /** The hour is the next one after the hour of the reading. */
  is_next_hour: boolean
  /** The reading, and its deviation from the forecast of its own hour. */
  wait_minutes: number
  deviation: Deviation
  /** See `deviationRatio`. */
  ratio: number
  p10: number
  p50: number
  p90: number
  truth: number
}

/** Quantiles that were forecast for an hour, minutes. */
export interface IssuedHour {
  p10: number
  p50: number
  p90: number
}

/** Readings closer together than this are nearly the same. */
const SPACING_MS = 25 * 60_000

export interface ExampleRequest {
  waits: ObservedWaits
  /** Readings from this instant on and before the other, epoch ms. */
  from_ms: number
  to_ms: number
  /** Hours ahead to look at. */
  hours: number
  /** The forecast of an hour that was served when a reading was made; null where there was none. */
  issued: (hour_ms: number) => IssuedHour | null
  /** The observed mean of an hour; NaN where none is known. */
  truthAt: (hour_ms: number) => number
}

/**
 * Pairs of a reading and each of the hours after its own. The hour of the reading is no truth: the reading is part of its
 * mean.
 */
export function examplesOf({ waits, from_ms, to_ms, hours, issued, truthAt }: ExampleRequest): AssimilationExample[] {
  const examples: AssimilationExample[] = []
  let last = Number.NEGATIVE_INFINITY
  for (let row = lowerBound(waits.observed_ms, from_ms); row < waits.observed_ms.length; row++) {
    const observed_ms = waits.observed_ms[row]!
    if (observed_ms >= to_ms) break
    if (observed_ms - last < SPACING_MS) continue
    const hour_ms = Math.floor(observed_ms / HOUR_MS) * HOUR_MS
    const expected = issued(hour_ms)
    if (!expected) continue
    last = observed_ms
    const wait_minutes = waits.minutes[row]!
    const deviation = { minutes: wait_minutes - expected.p50, spread: expected.p90 - expected.p10 }
    for (let ahead = 1; ahead <= hours; ahead++) {
      const valid_ms = hour_ms + ahead * HOUR_MS
      const truth = truthAt(valid_ms)
      const forecast = Number.isNaN(truth) ? null : issued(valid_ms)
      if (!forecast) continue
      examples.push({
        iata: waits.iata,
        observed_ms,
        lead_hours: (valid_ms - observed_ms) / HOUR_MS + 0.5,
        is_next_hour: ahead === 1,
        wait_minutes,
        deviation,
        ratio: deviationRatio(forecast, deviation.spread),
        p10: forecast.p10,
        p50: forecast.p50,
        p90: forecast.p90,
        truth,
      })
    }
  }
  return examples
}
