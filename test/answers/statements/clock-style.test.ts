import { expect, test } from 'vitest'
import { chartInClocksOf, inClocksOf, inTwelveHours } from '../../../answers/statements/clock-style.ts'

test.each([
  ['opens about 03:15', 'opens about 3:15 am'],
  ['00:00 to 12:30', '12:00 am to 12:30 pm'],
  ['made 2026-11-28 12:19:00 UTC', 'made 2026-11-28 12:19:00 UTC'],
  ['2026-11-21T05:00:00-05:00, UTC+05:30', '2026-11-21T05:00:00-05:00, UTC+05:30'],
  ['2026-11-21T05:00-05:00', '2026-11-21T05:00-05:00'],
  ['daily 05:00-22:00', 'daily 5:00 am-10:00 pm'],
  ['05:30-00:10, 12:00-13:00', '5:30 am-12:10 am, 12:00 pm-1:00 pm'],
  ['lasts 25:10 or 7:61', 'lasts 25:10 or 7:61'],
])('%s is %s where hours are counted to twelve', (text, shown) => {
  expect(inTwelveHours(text).replaceAll('\u00a0', ' ')).toBe(shown)
  // What was rewritten once is not rewritten again.
  expect(inTwelveHours(inTwelveHours(text))).toBe(inTwelveHours(text))
})

test.each([
  ['US', '3:15 pm'],
  ['CA', '3:15 pm'],
  ['IN', '3:15 pm'],
  ['AU', '3:15 pm'],
  ['GB', '15:15'],
  ['DE', '15:15'],
  ['BR', '15:15'],
  ['JP', '15:15'],
])('where no reader is known, the custom is that of the country: %s writes %s', (country, shown) => {
  expect(inClocksOf(country, '15:15').replaceAll('\u00a0', ' ')).toBe(shown)
})

test('the label of an axis has no minutes, a sentence in a chart has them, and no attribute changes', () => {
  const svg = '<svg aria-label="at 06:00"><text>06:00</text><title>as of 06:00</title></svg>'
  expect(chartInClocksOf('US', svg).replaceAll('\u00a0', ' ')).toBe(
    '<svg aria-label="at 06:00"><text>6 am</text><title>as of 6:00 am</title></svg>',
  )
  expect(chartInClocksOf('DE', svg)).toBe(svg)
})
