import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { localClock } from '../../config/local-time.ts'
import { typicalQuantiles } from '../../config/prior/typical.ts'
import { horizonHours } from '../features/features.ts'
import type { PreparedSeries } from '../features/profile.ts'
import { adaptedHours, type SlotForecast } from '../prior/adapted-forecast.ts'
import { ownHoursAt } from '../prior/own-readings.ts'
import { type OriginsOfSpan, originsOf, type SeriesBacktest } from './backtest.ts'

/** An origin at which the prior is served, with HORIZON_HOURS forecasts. */
export interface PriorOrigin {
  issued_ms: number
  hours: SlotForecast[]
}

/**
 * The scored origins at which an airport has been observed before, but not in the four weeks that every model needs. The service then
 * shows the prior: drawn to the airport by its hours of the last half year, or as it is where there is none. Empty for terminals and for
 * airports outside the directory.
 */
export function priorOrigins(series: PreparedSeries, run: SeriesBacktest, span: OriginsOfSpan): PriorOrigin[] {
  const airport = airportDirectory().byIata.get(series.iata)
  if (!airport || series.terminal !== '') return []
  const forecast = new Set(run.issued_ms)
  const first_known_ms = series.available_ms.reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY)
  return originsOf(span)
    .filter((issued_ms) => issued_ms >= span.from_ms && issued_ms >= first_known_ms && !forecast.has(issued_ms))
    .map((issued_ms) => {
      const isKnown = ownHoursAt(series, issued_ms).minutes.length > 0
      return { issued_ms, hours: isKnown ? adaptedHours(series, issued_ms)! : typicalHours(airport, issued_ms) }
    })
}

function typicalHours({ size, timezone }: Airport, issued_ms: number): SlotForecast[] {
  const valid_ms = horizonHours(issued_ms)
  const { hour, weekday } = localClock(timezone, valid_ms)
  return Array.from(valid_ms, (valid, k) => {
    const { p10, p50, p90, confidence } = typicalQuantiles(size, hour[k]!, weekday[k]!)
    return { valid_ms: valid, p10, p50, p90, p_within_5: confidence ?? Number.NaN }
  })
}
