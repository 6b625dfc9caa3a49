import { localClock } from '../../config/time-zones/local-time.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'

export const START = Date.parse('2026-03-01T00:00:00Z')

/** A series of every hour of some days from START; `waitAt` returns the mean wait, which is available when the hour has ended. */
export function fakeSeries(
  days: number,
  waitAt: (hour: number, weekday: number, row: number) => number,
  overrides: Partial<Pick<HourlySeries, 'iata' | 'terminal' | 'timezone'>> = {},
): HourlySeries {
  const timezone = overrides.timezone ?? 'America/New_York'
  const hour_ms = Float64Array.from({ length: days * 24 }, (_, k) => START + k * HOUR_MS)
  const clock = localClock(timezone, hour_ms)
  return {
    iata: overrides.iata ?? 'JFK',
    terminal: overrides.terminal ?? '',
    timezone,
    country: 'US',
    hour_ms,
    available_ms: hour_ms.map((hour) => hour + HOUR_MS),
    mean: hour_ms.map((_, row) => waitAt(clock.hour[row]!, clock.weekday[row]!, row)),
    samples: new Float64Array(hour_ms.length).fill(4),
  }
}

/** The hours of a series whose row is kept. */
export function keptHours<T extends HourlySeries>(series: T, isKept: (row: number) => boolean): T {
  const column = (values: Float64Array) => values.filter((_, row) => isKept(row))
  const { hour_ms, available_ms, mean, samples } = series
  return {
    ...series,
    hour_ms: column(hour_ms),
    available_ms: column(available_ms),
    mean: column(mean),
    samples: column(samples),
  }
}

/** Height of the peaks by ISO weekday; 1 on the other days. */
const PEAK_HEIGHTS: Record<number, number> = { 1: 1.8, 5: 1.8, 6: 0.3 }

/** Waits with a morning and an evening peak, higher on Mondays and Fridays and low on Saturdays, with seeded noise. */
export function peaks(seed: number, noise = 2): (hour: number, weekday: number) => number {
  const random = seededRandom(seed)
  return (hour, weekday) => {
    const peak = 14 * Math.exp(-(((hour - 7) / 2) ** 2)) + 9 * Math.exp(-(((hour - 17) / 2) ** 2))
    const height = PEAK_HEIGHTS[weekday] ?? 1
    return Math.max(0, 2 + peak * height + noise * (random() + random() - 1))
  }
}
