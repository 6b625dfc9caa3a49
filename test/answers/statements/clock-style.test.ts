import { expect, test } from 'vitest'
import { chartInClocksOf } from '../../../answers/statements/clock-style.ts'

test('the label of an axis has no minutes, a sentence in a chart has them, and no attribute changes', () => {
  const svg = '<svg aria-label="at 06:00"><text>06:00</text><title>as of 06:00</title></svg>'
  expect(chartInClocksOf('US', svg).replaceAll('\u00a0', ' ')).toBe(
    '<svg aria-label="at 06:00"><text>6 am</text><title>as of 6:00 am</title></svg>',
  )
  expect(chartInClocksOf('DE', svg)).toBe(svg)
})
