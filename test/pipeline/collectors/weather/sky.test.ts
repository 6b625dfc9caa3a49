import { expect, test } from 'vitest'
import { flightCategory } from '../../../../pipeline/collectors/weather/sky.ts'

test.each([
  [499, 10, 'LIFR'],
  [500, 10, 'IFR'],
  [999, 10, 'IFR'],
  [1_000, 10, 'MVFR'],
  [3_000, 10, 'MVFR'],
  [3_001, 10, 'VFR'],
  [null, 0.99, 'LIFR'],
  [null, 1, 'IFR'],
  [null, 2.99, 'IFR'],
  [null, 3, 'MVFR'],
  [null, 5, 'MVFR'],
  [null, 5.01, 'VFR'],
  // The worse of the two is used.
  [400, 3, 'LIFR'],
  [2_000, 0.5, 'LIFR'],
  [900, 4, 'IFR'],
  [5_000, null, 'VFR'],
  [null, null, null],
] as const)('ceiling %s ft and visibility %s SM is %s', (ceiling, visibility, category) =>
  expect(flightCategory(ceiling, visibility)).toBe(category),
)
