import { type Airport, hasTypicalWaits } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { getOrCreate, memoizeByObject } from '../../config/once.ts'
import { RATIO_FRACTIONS, SECURITY_LANES, type SecurityLane } from '../../config/reference/security-lanes.ts'
import { TERMINALS } from '../../config/reference/terminals.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { type AirportSize, type Basis, HOUR_MS } from '../../config/vocabulary.ts'
import { typicalModel, typicalQuantiles } from '../../forecasting/prior/typical.ts'
import type { WaitQuantiles } from '../../forecasting/quantiles/wait-quantile.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { HistorySeries } from '../../warehouse/publishing/read/history.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { quantilesAt } from '../questions/forecast-hour.ts'
import { factorsOf, hourlyMinutes, type Minutes, tableQuantile } from './durations.ts'
import type { PeakDay } from './peak-day.ts'
import type { Trip } from './trip.ts'

/** Source of the figures of the security step. */
export interface SecuritySource {
  /** forecast: of the hour; usual: the same hours of the weeks before; typical: airports of this size worldwide. */
  kind: 'forecast' | 'usual' | 'typical'
  basis: Basis
  source: string
  /** The terminal that the figures are of; null for the whole airport. */
  terminal: string | null
}

export interface SecurityWait extends SecuritySource {
  /** How long somebody waits who joins the queue at an instant; the same object within five minutes. */
  minutesAt: (instant: number) => Minutes
  /** How the traveller's lane and checkpoint differ from the airport's average; null: the figures are of that queue itself. */
  lane: SecurityLane | null
}

/** Hours this near follow the readings of today. */
const PEAK_IS_MEASURED_MS = 3 * HOUR_MS

interface SecurityRequest {
  trip: Trip
  /** A terminal with a forecast of its own, or null. */
  terminal: string | null
  departure_ms: number
  horizon_ms: number
  now: number
  peak: PeakDay | null
}

/** Whether a departure can be planned at an airport: passengers fly from it, or its own waits are known. */
export function isPlannable(snapshot: Snapshot, airport: Airport): boolean {
  const { iata, timezone } = airport
  if (noFlightsText(iata) !== null) return false
  return (
    hasTypicalWaits(airport) ||
    snapshot.forecast(iata)?.model.basis === 'predicted' ||
    usualPattern(snapshot.history(iata), timezone) !== null
  )
}

/** How long security takes on a trip; null when nothing may be claimed of the airport. */
export function securityWait(snapshot: Snapshot, request: SecurityRequest): SecurityWait | null {
  const { trip, terminal, departure_ms, horizon_ms, now, peak } = request
  const { iata, size, timezone } = trip.airport
  if (!isPlannable(snapshot, trip.airport)) return null
  const served = snapshot.forecast(iata, terminal ?? '')
  const forecast = served && departure_ms <= horizon_ms && isReached(served, departure_ms) ? served : null
  const usual = forecast ? null : usualPattern(snapshot.history(iata, terminal ?? ''), timezone)

  // Readings of today know of a peak themselves.
  const knowsPeak = forecast !== null && (forecast.model.basis === 'predicted' || forecast.adjusted_to !== null)
  const withPeak = (instant: number, wait: WaitQuantiles): WaitQuantiles => {
    const factor = knowsPeak && instant < now + PEAK_IS_MEASURED_MS ? 1 : (peak?.factor ?? 1)
    return { p10: wait.p10 * factor, p50: wait.p50 * factor, p90: wait.p90 * factor }
  }
  const lane = laneRow(trip, terminal)
  return {
    terminal,
    lane,
    minutesAt: hourlyMinutes(
      (hour) => {
        const wait = forecast ? forecastAt(forecast, hour) : (usual?.quantilesAt(hour) ?? null)
        return wait && withPeak(hour, wait)
      },
      (hour) => withPeak(hour, typicalAt(size, timezone, hour)),
      lane ? laneFactors(lane) : undefined,
    ),
    ...sourceOf(forecast, usual, size),
  }
}

const laneFactors = memoizeByObject(({ ratios }: SecurityLane) =>
  factorsOf((fraction) => tableQuantile(RATIO_FRACTIONS, ratios, fraction)),
)

function sourceOf(forecast: ForecastSeries | null, usual: UsualPattern | null, size: AirportSize) {
  if (forecast) return { kind: 'forecast' as const, basis: forecast.model.basis, source: forecast.model.version }
  if (usual) return { kind: 'usual' as const, basis: 'predicted' as const, source: usual.source }
  return { kind: 'typical' as const, basis: 'typical' as const, source: typicalModel(size).version }
}

/** Whether a forecast has the hour of an instant. */
export const isReached = (series: ForecastSeries, instant: number) =>
  instant < series.start_ms + series.p50.length * HOUR_MS && instant >= series.start_ms

/** The forecast of an hour. Hours before the first one are past: they take its values, for what would have been. */
function forecastAt(series: ForecastSeries, instant: number): WaitQuantiles | null {
  const tenths = quantilesAt(series, Math.max(instant, series.start_ms))
  return tenths && { p10: tenths.p10 / 10, p50: tenths.p50 / 10, p90: tenths.p90 / 10 }
}

function typicalAt(size: AirportSize, timezone: string, instant: number): WaitQuantiles {
  const { hour, weekday } = localClock(timezone, [instant])
  const { p10, p50, p90 } = typicalQuantiles(size, hour[0] ?? 0, weekday[0] ?? 1)
  return { p10, p50, p90 }
}

/** An hour needs this many observed days to have a pattern of its own. */
const MIN_DAYS = 6

interface UsualPattern {
  source: string
  quantilesAt: (instant: number) => WaitQuantiles | null
}

/** The waits of the same local hour on weekdays, or on weekends, over the history; null without enough of it. */
function usualPattern(history: HistorySeries | null, timezone: string): UsualPattern | null {
  if (!history || history.hour.length < 24 * MIN_DAYS) return null
  const instants = Float64Array.from(history.hour, (hour) => hour * HOUR_MS)
  const { hour, weekday } = localClock(timezone, instants)
  const byHour = new Map<number, number[]>()
  for (const [index, mean] of history.mean.entries()) {
    getOrCreate(byHour, slot(hour[index] ?? 0, weekday[index] ?? 1), () => []).push(mean / 10)
  }
  return {
    source: `usual:${history.iata}, ${history.hour.length} observed hours`,
    quantilesAt(instant) {
      const clock = localClock(timezone, [instant])
      const means = byHour.get(slot(clock.hour[0] ?? 0, clock.weekday[0] ?? 1))?.toSorted((a, b) => a - b)
      if (!means || means.length < MIN_DAYS) return null
      return { p10: quantile(means, 0.1), p50: quantile(means, 0.5), p90: quantile(means, 0.9) }
    },
  }
}

const slot = (hour: number, weekday: number) => (weekday > 5 ? 24 : 0) + hour

/**
 * The row of the traveller's lane: of the airport itself, else of all airports. The figures of a terminal need none for the
 * standard lane, and small airports have one checkpoint.
 */
function laneRow({ airport, lane }: Trip, terminal: string | null): SecurityLane | null {
  if (lane === 'standard' && (terminal !== null || airport.size === 'small')) return null
  const rows = SECURITY_LANES.where('lane', lane)
  return rows.find(({ iata }) => iata === airport.iata) ?? rows.find(({ iata }) => iata === null) ?? null
}

/** Whether a source names a lane at an airport: its feed, a dated page, or measured waits. None names every lane. */
export function isLaneNamed(iata: string, lane: Trip['lane'], snapshot: Snapshot): boolean {
  const fed = snapshot.queue(iata, 'security').terminals.flatMap(({ checkpoints }) => checkpoints)
  const listed = TERMINALS.where('iata', iata).flatMap(({ checkpoints }) => checkpoints.flatMap(({ lanes }) => lanes))
  return (
    fed.some((checkpoint) => checkpoint.lane === lane) ||
    listed.some((name) => laneOfWord(name) === lane) ||
    SECURITY_LANES.where('iata', iata).some((row) => row.lane === lane)
  )
}
