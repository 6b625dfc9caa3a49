import { HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/local-time.ts'
import type { HourlySeries } from '../../training/history/hourly-series.ts'
import { seededRandom } from '../../training/scoring/statistics.ts'

export const START = Date.parse('2026-03-01T00:00:00Z')

/** A made-up airport: every hour of some days, each hour's mean by a rule; known when the hour has ended. */
export function madeSeries(
  days: number,
  rule: (hour: number, weekday: number, k: number) => number,
  given: Partial<Pick<HourlySeries, 'iata' | 'terminal' | 'timezone'>> = {},
): HourlySeries {
  const timezone = given.timezone ?? 'America/New_York'
  const hour_ms = Float64Array.from({ length: days * 24 }, (_, k) => START + k * HOUR_MS)
  const clock = localClock(timezone, hour_ms)
  return {
    iata: given.iata ?? 'JFK',
    terminal: given.terminal ?? '',
    timezone,
    country: 'US',
    hour_ms,
    available_ms: hour_ms.map((hour) => hour + HOUR_MS),
    mean: hour_ms.map((_, k) => rule(clock.hour[k]!, clock.weekday[k]!, k)),
    samples: new Float64Array(hour_ms.length).fill(4),
  }
}

/** A morning and an evening peak, heavier on Mondays and Fridays and empty on Saturdays, with seeded noise. */
export function peaks(seed: number, noise = 2): (hour: number, weekday: number) => number {
  const random = seededRandom(seed)
  return (hour, weekday) => {
    const peak = 14 * Math.exp(-(((hour - 7) / 2) ** 2)) + 9 * Math.exp(-(((hour - 17) / 2) ** 2))
    const day = weekday === 1 || weekday === 5 ? 1.8 : weekday === 6 ? 0.3 : 1
    return Math.max(0, 2 + peak * day + noise * (random() + random() - 1))
  }
}
