import { type Airport, airportDirectory, hasTypicalWaits } from '../../config/airports/directory.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { sourceById } from '../../config/sources.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { HORIZON_HOURS, HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import {
  type TypicalImmigration,
  typicalImmigration,
  typicalImmigrationTerminals,
  unseenImmigration,
} from '../../forecasting/prior/immigration.ts'
import type { BorderForecast, BorderHour, BorderQueue } from '../../warehouse/publishing/read/border-forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'

/** The expected waits of a border queue from the hour of `now` (epoch ms) on: by its own hours, else `typicalHours` typical ones; null if there are none. */
export const expectedBorder = (
  snapshot: Snapshot,
  iata: string,
  queue: BorderQueue,
  now: number,
  typicalHours = HORIZON_HOURS,
) => snapshot.borderForecast(iata, queue) ?? typicalBorderForecast(iata, queue, now, typicalHours)

/** The wait of an hour and its 80 % interval, in whole minutes. */
export const wholeMinutesOf = ({ p10, p50, p90 }: Pick<BorderHour, 'p10' | 'p50' | 'p90'>) => ({
  wait_minutes: Math.round(p50),
  low: Math.round(p10),
  high: Math.round(p90),
})

/** Terminals of whose passport control something is expected, by name. */
export const expectedBorderTerminals = (snapshot: Snapshot, iata: string): string[] =>
  [...new Set([...snapshot.borderTerminals(iata), ...typicalImmigrationTerminals(iata)])].sort()

/** Whether CBP publishes the passport control of an airport. */
const isCbpAirport = (iata: string) => sourceById('cbp-awt').airports.includes(iata)

/** The typical waits of a queue; null if there are none. */
function typicalOf(airport: Airport, { direction, terminal = '' }: BorderQueue): TypicalImmigration | null {
  if (direction === undefined) return isCbpAirport(airport.iata) ? typicalImmigration(airport.iata, terminal) : null
  const isClaimed = hasTypicalWaits(airport) && isSchengenAirport(airport) && direction !== 'unknown' && terminal === ''
  return isClaimed ? unseenImmigration(direction) : null
}

/** The typical waits of a queue in the hours from that of `now` (epoch ms) on. */
function typicalBorderForecast(iata: string, queue: BorderQueue, now: number, hours: number): BorderForecast | null {
  const airport = airportDirectory().byIata.get(iata)
  const typical = airport ? typicalOf(airport, queue) : null
  if (!airport || !typical) return null
  const start_ms = startOfHour(now)
  const starts = new Float64Array(hours).map((_, ahead) => start_ms + ahead * HOUR_MS)
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
    hours: Array.from({ length: hours }, (_, ahead): BorderHour | null => {
      const quantiles = typical.quantilesAt(weekday[ahead]!, hour[ahead]!)
      if (!quantiles) return null
      const [p10, p50, p90] = quantiles
      return { p10, p50, p90, samples: null, confidence: typical.confidence }
    }),
    backtest: { mae_minutes, baseline_mae_minutes: null, coverage_80, within_5, samples },
    note: typical.note,
  }
}
