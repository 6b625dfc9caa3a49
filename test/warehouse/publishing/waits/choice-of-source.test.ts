import { expect, test } from 'vitest'
import { isoUtc } from '../../../../config/vocabulary.ts'
import { currentWaits } from '../../../../warehouse/publishing/waits/choice-of-source.ts'
import { type LatestReading, queueWait } from '../../../../warehouse/publishing/waits/queue-wait.ts'
import { testValues } from '../../../values.ts'
import { reading } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

/** A reading, observed so many minutes ago. */
type Row = Partial<LatestReading> & { ago?: number }

const readingsOf = (rows: Row[]): LatestReading[] =>
  rows.map(({ ago = 2, ...over }) => reading({ observed_at: isoUtc(NOW - ago * 60_000), wait_minutes: 10, ...over }))

testValues('warehouse/publishing/waits/choice-of-source.json', {
  queueWait: (rows: Row[]) => queueWait(readingsOf(rows), NOW),
  currentWaits: (rows: Row[]) => currentWaits(readingsOf(rows), NOW),
})

test('of several fresh sources the publisher nearest to the queue is used; a stale source is not used while one is fresh', () => {
  const sourcesOf = (...rows: Row[]) => currentWaits(readingsOf(rows), NOW).map(({ wait }) => wait.source)
  const nearest = ['atl-html', 'zensors-las', 'catsa-html', 'delta-newshub', 'import-x', 'fromthetraytable', 'crowd']
  for (const [rank, source] of nearest.entries()) {
    const [fresher, ...others] = nearest.slice(rank + 1).map((further) => ({ source: further, ago: 1 }))
    if (!fresher) continue
    expect(sourcesOf(fresher, ...others, { source, ago: 59 })).toEqual([source])
    expect(sourcesOf(fresher, { source, ago: 60 })).toEqual([fresher.source])
  }
})
