import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { checkHistory, historySets } from './histories.ts'

/** The largest number of rows in 100,000 that all checks may flag, for the sets that are letEventLoopPoll as often as we do. */
const MAX_FLAGGED: [string, number][] = [
  ['security-nyc-2026', 50],
  ['security-atl-2025', 50],
  ['security-arn-2022', 50],
  // Its values are multiples of 5, so a steady queue looks frozen sooner.
  ['security-dub-2022', 400],
]

test.runIf(EXHAUSTIVE && historySets().length > 0).each(MAX_FLAGGED)(
  'does not flag real peaks and quiet nights: %s',
  (set, max) => {
    const { rows, flagged } = checkHistory(set)
    expect(rows).toBeGreaterThan(1_000)
    expect((flagged.length / rows) * 100_000).toBeLessThanOrEqual(max)
  },
)
