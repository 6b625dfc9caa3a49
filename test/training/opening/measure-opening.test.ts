import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { measureOpening } from '../../../training/opening/measure-opening.ts'
import { readOpenSeries } from '../../../training/opening/open-series.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { writeHistorySet } from '../history/history-set.ts'

const START = Date.parse('2026-05-04T00:00:00Z')
const DAYS = 35

/** Open from 04:00 to 22:00 in New York (08:00 to 02:00 UTC) and closed on Sundays; read every second hour. */
const isOpen = (hour: number) => {
  const local = new Date(START + (hour - 4) * HOUR_MS)
  return local.getUTCDay() !== 0 && local.getUTCHours() >= 4 && local.getUTCHours() < 22
}

test('opening hours with a closed weekday are learned, and hours of the future change nothing', async () => {
  const folder = await temporaryFolder()
  const rows = Array.from({ length: (DAYS * 24) / 2 }, (_, k) => {
    const hour = 2 * k
    return `JFK,,Main,Standard,${isoUtc(START + hour * HOUR_MS)},${isOpen(hour) ? 6 : ''},,,${isOpen(hour) ? 'open' : 'closed'}`
  })
  await writeHistorySet(join(folder, 'set'), rows)
  const series = readOpenSeries(join(folder, 'set'))
  expect(series.map(({ iata, terminal }) => [iata, terminal])).toEqual([['JFK', '']])
  const span = { from_ms: START + 21 * DAY_MS, to_ms: START + 27 * DAY_MS }
  const scores = measureOpening(series, span)
  for (const { brier, accuracy, samples } of scores.filter((score) => score.from_hours > 0)) {
    expect(samples).toBeGreaterThan(0)
    expect(brier.served).toBeLessThan(brier.always_open / 4)
    expect(accuracy.served).toBeGreaterThan(0.95)
  }
  // The rule of the local hour does not know the Sunday.
  expect(scores.at(-1)!.brier.served).toBeLessThan(scores.at(-1)!.brier.same_hour / 2)
  // A forecast of the first issue does not see what comes after it.
  const first = { from_ms: span.from_ms, to_ms: span.from_ms }
  const poisoned = series.map((each) => ({
    ...each,
    hours: each.hours.map((hour) => (hour.hour < span.from_ms + 8 * DAY_MS ? hour : { ...hour, open_slots: 0 })),
  }))
  expect(measureOpening(poisoned, first)).toEqual(measureOpening(series, first))
})
