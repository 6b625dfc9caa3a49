import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { horizonHours } from '../../../forecasting/features/features.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { opponentsAt } from '../../../forecasting/opponents/opponents.ts'
import { fakeSeries, START } from '../../training/fake-series.ts'

const DAYS = 28
const ISSUED = START + DAYS * DAY_MS
/** 10 min, and in the last three hours 10, 12 and 14. */
const rising = () =>
  fakeSeries(DAYS, (_hour, _weekday, row) => 10 + 2 * Math.max(0, row - (DAYS * 24 - 3)), { timezone: 'Etc/UTC' })

test('returns the newest wait, and a trend that ends within 150 minutes in the mean of the hour of the week', () => {
  const rules = opponentsAt(prepareSeries(rising()), ISSUED, horizonHours(ISSUED))!
  expect([...new Set(rules.persistence)]).toEqual([14])
  // 0.8 × 16 + 0.2 × 10 after 30 min, 0.4 × 18 + 0.6 × 10 after 90, 10 after 150.
  expect(rules.trend[0]).toBeCloseTo(14.8)
  expect(rules.trend[1]).toBeCloseTo(13.2)
  expect(rules.trend[2]).toBeCloseTo(10)
  // The hours that rose come again after a week less three hours: the mean of three weeks of 10, 10 and 12.
  expect(rules.trend[166]).toBeCloseTo(32 / 3)
})

test('an hour that was not available at the issue is not used', () => {
  const series = rising()
  const last = series.hour_ms.length - 1
  series.available_ms[last] = ISSUED + 1
  expect(opponentsAt(prepareSeries(series), ISSUED, horizonHours(ISSUED))!.persistence[0]).toBe(12)
  expect(opponentsAt(prepareSeries(series), ISSUED + HOUR_MS, horizonHours(ISSUED))!.persistence[0]).toBe(14)
})

test('without an hour of the last 21 days there is no forecast', () => {
  const issued_ms = ISSUED + 22 * DAY_MS
  expect(opponentsAt(prepareSeries(rising()), issued_ms, horizonHours(issued_ms))).toBeNull()
})
