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
] as const)('ceiling %s ft and visibility %s SM is %s', (ceiling_ft, visibility_sm, category) =>
  expect(flightCategory({ ceiling_ft, ceiling_known: true }, { visibility_sm, visibility_bound: null })).toBe(category),
)

const UNKNOWN_CEILING = { ceiling_ft: null, ceiling_known: false }
const CLEAR = { ceiling_ft: null, ceiling_known: true }

test.each([
  [UNKNOWN_CEILING, 10, null, null],
  [UNKNOWN_CEILING, 2, null, 'IFR'],
  [CLEAR, null, null, null],
  [{ ceiling_ft: 5_000, ceiling_known: true }, null, null, null],
  [{ ceiling_ft: 800, ceiling_known: true }, null, null, 'IFR'],
  [UNKNOWN_CEILING, null, null, null],
] as const)('with a part missing, %j and %s SM are never VFR', (ceiling, visibility_sm, visibility_bound, category) =>
  expect(flightCategory(ceiling, { visibility_sm, visibility_bound })).toBe(category),
)

test.each([
  [6, 'more_than', 'VFR'],
  [5, 'more_than', 'VFR'],
  [5, 'at_least', null],
  [0.25, 'less_than', 'LIFR'],
  [1, 'less_than', 'LIFR'],
  [3, 'less_than', 'IFR'],
] as const)('a visibility of %s SM that is %s is %s', (visibility_sm, visibility_bound, category) =>
  expect(flightCategory(CLEAR, { visibility_sm, visibility_bound })).toBe(category),
)
