import { expect, test } from 'vitest'
import { checkHistory, historySets } from './histories.ts'

/** Most rows in 100,000 that the flagging checks may mark together; the sets that poll as often as we do. */
const MOST: [string, number][] = [
  ['security-nyc-2026', 50],
  ['security-atl-2025', 50],
  ['security-arn-2022', 50],
  // Its values are multiples of 5, so that a steady queue looks frozen sooner.
  ['security-dub-2022', 400],
]

test.skipIf(historySets().length === 0).each(MOST)('does not flag real peaks and quiet nights: %s', (set, most) => {
  const { rows, flagged } = checkHistory(set)
  expect(rows).toBeGreaterThan(1_000)
  expect((flagged.length / rows) * 100_000).toBeLessThanOrEqual(most)
})
