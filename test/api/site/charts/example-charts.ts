import type { BandData } from '../../../../api/site/charts/band-chart.ts'
import type { UsualData } from '../../../../api/site/charts/heatmap-chart.ts'
import type { HistoryData } from '../../../../api/site/charts/history-chart.ts'
import { HOUR_MS, isoUtc } from '../../../../config/domain.ts'
import { NOW, THIS_HOUR } from '../../example-snapshot.ts'

/** A wait that grows to the middle of the day. */
const waitAt = (hour: number) => Math.round(8 + 14 * Math.max(0, Math.sin(((hour - 5) / 16) * Math.PI)))

/** A band of JFK at 09:20 local time, closed from 01:00 to 04:00, with one hour that nobody observed. */
export function exampleBand(over: Partial<BandData> = {}): BandData {
  const localHour = (k: number) => (9 + k + 48) % 24
  return {
    place: 'JFK',
    timezone: 'America/New_York',
    now: NOW,
    current_minutes: 14,
    past: Array.from({ length: 24 }, (_, k) => {
      const wait_minutes = waitAt(localHour(k - 24))
      return {
        time: isoUtc(THIS_HOUR - (24 - k) * HOUR_MS),
        observed_minutes: k === 12 ? null : wait_minutes + ((k * 7) % 11) - 5,
        wait_minutes,
        low: Math.max(0, wait_minutes - 5),
        high: wait_minutes + 8,
      }
    }),
    ahead: Array.from({ length: 24 }, (_, k) => {
      const isClosed = localHour(k) >= 1 && localHour(k) < 4
      const wait_minutes = waitAt(localHour(k))
      const minutes = { wait_minutes, low: Math.max(0, wait_minutes - 5), high: wait_minutes + 9 }
      return {
        time: isoUtc(THIS_HOUR + k * HOUR_MS),
        ...(isClosed ? { wait_minutes: null, low: null, high: null } : minutes),
        status: isClosed ? 'closed' : 'open',
      }
    }),
    ...over,
  }
}

export const exampleUsual = (): UsualData => ({
  place: 'JFK',
  days: 90,
  hours: [1, 2, 3, 4, 5, 6, 7].flatMap((day_of_week) =>
    Array.from({ length: 24 }, (_, hour) => hour)
      .filter((hour) => hour >= 4 || hour === 0)
      .map((hour) => {
        const p50 = waitAt(hour) + (day_of_week === 5 || day_of_week === 7 ? 2 * (hour % 12) : 0)
        return { day_of_week, hour, p50, p90: p50 + 9, samples: 12 }
      }),
  ),
  now: { day_of_week: 6, hour: 9 },
})

export const exampleHistory = (): HistoryData => ({
  place: 'JFK',
  from: '2026-08-24',
  to: '2026-11-21',
  days: Array.from({ length: 90 }, (_, k) => {
    const p50 = Math.round(14 + 5 * Math.sin(k / 4))
    return {
      date: isoUtc(Date.parse('2026-08-24T00:00:00Z') + k * 24 * HOUR_MS).slice(0, 10),
      hours: 20,
      p10: p50 - 6,
      p50,
      p90: p50 + 12,
    }
  }).filter((_, k) => k < 30 || k > 36),
})
