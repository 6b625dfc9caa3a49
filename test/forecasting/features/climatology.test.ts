import { expect, test } from 'vitest'
import { WEEK_HOURS } from '../../../config/vocabulary.ts'
import { climatology, indexedPast, type Kernel, weightWithin } from '../../../forecasting/features/climatology.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'

const HOURS = 30 * 24
const random = seededRandom(7)
const past = {
  values: Float64Array.from({ length: HOURS }, () => Math.round(random() * 40)),
  hour: Uint8Array.from({ length: HOURS }, (_, k) => k % 24),
  weekday: Uint8Array.from({ length: HOURS }, (_, k) => Math.floor(k / 24) % 7),
  age_hours: Uint16Array.from({ length: HOURS }, (_, k) => HOURS - k),
}

/** The same quantile by the definition: every hour weighed, sorted, and read off between the middles of the weights. */
function byDefinition({ hours, same_kind, other_kind, days }: Kernel, cell: number, fraction: number): number {
  const weighed = Array.from(past.values, (value, k) => {
    const shift = [-24, 0, 24].map((day) => past.hour[k]! + day - (cell % 24)).find((apart) => Math.abs(apart) <= 12)!
    const day = (past.weekday[k]! + 7 + Math.round((past.hour[k]! - shift - (cell % 24)) / 24)) % 7
    const target = Math.floor(cell / 24)
    const otherDay = day > 4 === target > 4 ? same_kind : other_kind
    const kind = day === target ? 1 : otherDay
    const near = Math.abs(shift) > 3 * hours + 0.5 ? 0 : Math.exp(-0.5 * (shift / hours) ** 2)
    return { value, weight: near * kind * Math.exp(-past.age_hours[k]! / 24 / days) }
  })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.value - b.value)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  let before = 0
  let last = { middle: 0, value: weighed[0]!.value }
  for (const { value, weight } of weighed) {
    const middle = (before + weight / 2) / total
    if (middle >= fraction) {
      const share = middle === last.middle ? 1 : (fraction - last.middle) / (middle - last.middle)
      return before === 0 ? value : last.value + share * (value - last.value)
    }
    last = { middle, value }
    before += weight
  }
  return last.value
}

test.each([
  { hours: 0.8, same_kind: 0.3, other_kind: 0.1, days: 60 },
  { hours: 2, same_kind: 1, other_kind: 1, days: 5 },
  { hours: 0.2, same_kind: 0.4, other_kind: 0.2, days: 1_000 },
])('weighted quantiles equal their definition: %o', (kernel) => {
  const fractions = [0, 0.1, 0.5, 0.9, 1]
  const tables = climatology(indexedPast(past), kernel, fractions)
  for (let cell = 0; cell < WEEK_HOURS; cell += 5)
    for (const [k, fraction] of fractions.entries())
      expect(tables[k]![cell]).toBeCloseTo(byDefinition(kernel, cell, fraction), 6)
})

test('an hour without any hour near it is missing', () => {
  const morning = indexedPast({
    values: Float64Array.of(4, 6),
    hour: Uint8Array.of(8, 8),
    weekday: Uint8Array.of(0, 1),
    age_hours: Uint16Array.of(48, 24),
  })
  const [table] = climatology(morning, { hours: 0.2, same_kind: 1, other_kind: 1, days: 9 }, [0.5])
  expect(table![8]).toBeGreaterThan(4)
  expect(table![20]).toBeNaN()
})

test('the weight within some minutes of a value equals its definition, the bounds included', () => {
  const kernel = { hours: 1, days: 14 }
  const weighed = weightWithin(indexedPast(past), kernel)
  for (const [hour, value] of [
    [0, 20],
    [9, 5],
    [23, 38.5],
  ] as const) {
    let inside = 0
    let total = 0
    for (const [k, wait] of past.values.entries()) {
      const apart = Math.min(Math.abs(past.hour[k]! - hour), 24 - Math.abs(past.hour[k]! - hour))
      if (apart > 3) continue
      const weight = Math.exp(-0.5 * apart ** 2 - past.age_hours[k]! / 24 / kernel.days)
      total += weight
      if (Math.abs(wait - value) <= 5) inside += weight
    }
    expect(weighed(hour, value, 5).inside).toBeCloseTo(inside, 9)
    expect(weighed(hour, value, 5).total).toBeCloseTo(total, 9)
  }
})
