import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import type { BorderDirection } from '../../../config/border-direction.ts'
import { HORIZON_HOURS, HOUR_MS } from '../../../config/domain.ts'
import { isSchengenAirport } from '../../../config/reference/schengen-airports.ts'
import { sourceById } from '../../../config/sources.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import {
  type TypicalImmigration,
  typicalImmigration,
  typicalImmigrationTerminals,
  unseenImmigration,
} from '../../../forecasting/prior/immigration.ts'
import { definePublished } from './define-published.ts'

/** An hour of a border forecast, in minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Days of the last 28 on which the hour was observed; null for a typical hour. */
  samples: number | null
  /** Probability that the wait is within 5 minutes of p50; null where it was not measured. */
  confidence: number | null
}

/** Scores of what serves on hours it had not seen; null when no forecast hour was observed. */
export interface BorderBacktest {
  mae_minutes: number | null
  /** Mean absolute error of the median of the same hour in 28 days; null where it is not compared. */
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
  /** Null where passport control is not divided by direction. */
  direction: BorderDirection | null
  basis: 'predicted' | 'typical'
  /** e.g. model:JFK@2026-11-20T04Z-3fa9c1d2, baseline:ZRH/entry@2026-11-21T14Z or prior:immigration@2026-11-22 */
  version: string
  trained_at: string | null
  /** Start of the first hour, epoch milliseconds. */
  start_ms: number
  /** One entry an hour; null where the hour was observed on too few days. */
  hours: (BorderHour | null)[]
  backtest: BorderBacktest
  /** What a typical forecast and its error are taken from; null for a prediction. */
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

export const keyOf = (iata: string, { direction, terminal = '' }: BorderQueue) =>
  `${iata}/${direction ?? ''}/${terminal}`

interface BorderIndex {
  borderForecastByQueue: ReadonlyMap<string, BorderForecast>
}

export const borderForecasts = definePublished({
  index: ({ border_forecasts }: BorderForecastsContent): BorderIndex => ({
    borderForecastByQueue: new Map(
      border_forecasts.map((one) => {
        return [keyOf(one.iata, { ...(one.direction && { direction: one.direction }), terminal: one.terminal }), one]
      }),
    ),
  }),
  read: ({ borderForecastByQueue }: BorderIndex, { atMs }) => ({
    /** Forecast of one queue: from its own hours, else typical unless `only_own`; null where there is none. */
    borderForecast(iata: string, queue: BorderQueue = {}, only_own = false): BorderForecast | null {
      const own = borderForecastByQueue.get(keyOf(iata, queue))
      if (own && own.start_ms + own.hours.length * HOUR_MS > atMs) return own
      return only_own ? null : typicalBorderForecast(iata, queue, atMs)
    },
    /** Terminals whose passport control has a forecast. */
    borderTerminals: (iata: string) => {
      const own = [...borderForecastByQueue.values()].filter((one) => one.iata === iata && one.terminal !== '')
      return [...new Set([...own.map(({ terminal }) => terminal), ...typicalImmigrationTerminals(iata)])].sort()
    },
  }),
})

/** Whether CBP publishes the passport control of an airport. */
const isCbpAirport = (iata: string) => sourceById('cbp-awt').airports.includes(iata)

/** What is typical of a queue; null where nothing may be claimed. */
function typicalOf(airport: Airport, { direction, terminal = '' }: BorderQueue): TypicalImmigration | null {
  if (direction === undefined) return isCbpAirport(airport.iata) ? typicalImmigration(airport.iata, terminal) : null
  const isClaimed =
    airport.scheduled_service && isSchengenAirport(airport) && direction !== 'unknown' && terminal === ''
  return isClaimed ? unseenImmigration(direction) : null
}

/** The typical waits of a queue, HORIZON_HOURS from the hour of `atMs` (epoch ms). */
function typicalBorderForecast(iata: string, queue: BorderQueue, atMs: number): BorderForecast | null {
  const airport = airportDirectory().byIata.get(iata)
  const typical = airport ? typicalOf(airport, queue) : null
  if (!airport || !typical) return null
  const start_ms = Math.floor(atMs / HOUR_MS) * HOUR_MS
  const starts = new Float64Array(HORIZON_HOURS).map((_, ahead) => start_ms + ahead * HOUR_MS)
  const { weekday, hour } = localClock(airport.timezone, starts)
  const { mae_minutes, coverage_80, within_5, samples } = typical.backtest
  return {
    iata,
    terminal: queue.terminal ?? '',
    direction: queue.direction ?? null,
    basis: 'typical',
    version: typical.version,
    trained_at: `${typical.made_at}T00:00:00Z`,
    start_ms,
    hours: Array.from({ length: HORIZON_HOURS }, (_, ahead): BorderHour | null => {
      const quantiles = typical.quantilesAt(weekday[ahead]!, hour[ahead]!)
      if (!quantiles) return null
      const [p10, p50, p90] = quantiles
      return { p10, p50, p90, samples: null, confidence: typical.confidence }
    }),
    backtest: { mae_minutes, baseline_mae_minutes: null, coverage_80, within_5, samples },
    note: typical.note,
  }
}
