import { expect, test } from 'vitest'
import { currentWaits, type LatestReading, queueWait } from '../../../warehouse/publish/current-waits.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace('.000Z', 'Z')

function latest(over: Partial<LatestReading> = {}): LatestReading {
  return {
    kind: 'security',
    source: 'sea-cwt',
    iata: 'SEA',
    terminal: '',
    checkpoint: '1',
    lane: 'standard',
    observed_at: ago(2),
    wait_minutes: 10,
    wait_minutes_low: null,
    wait_minutes_high: null,
    status: 'open',
    ...over,
  }
}

test('the average is over open standard lanes and as old as the oldest of them', () => {
  const wait = queueWait(
    [
      latest(),
      latest({ checkpoint: '2', wait_minutes: 21, observed_at: ago(12) }),
      latest({ checkpoint: '3', wait_minutes: 90, status: 'closed' }),
      latest({ lane: 'precheck', wait_minutes: 1 }),
    ],
    NOW,
  )
  expect(wait).toMatchObject({
    average_wait_minutes: 16,
    basis: 'measured',
    observed_at: ago(12),
    age_seconds: 720,
    freshness: 'recent',
    source: 'sea-cwt',
  })
  expect(wait?.terminals[0]?.checkpoints).toHaveLength(4)
  expect(wait?.terminals[0]?.checkpoints.find(({ checkpoint }) => checkpoint === '3')).toMatchObject({
    wait_minutes: null,
    open: false,
  })
})

test('a range is shown as a range and counts by its middle; a lone bound by itself', () => {
  const wait = queueWait(
    [
      latest({ wait_minutes: null, wait_minutes_low: 5, wait_minutes_high: 10 }),
      latest({ checkpoint: '2', wait_minutes: null, wait_minutes_low: 30 }),
    ],
    NOW,
  )
  expect(wait?.average_wait_minutes).toBe(19)
  expect(wait?.terminals[0]?.checkpoints.map(({ range }) => range)).toEqual([
    { low: 5, high: 10 },
    { low: 30, high: null },
  ])
})

test('no open standard lane with a wait: no answer, rather than the wait of another lane', () => {
  expect(
    queueWait([latest({ lane: 'precheck' }), latest({ checkpoint: '2', status: 'closed', wait_minutes: null })], NOW),
  ).toBeNull()
  expect(queueWait([latest({ wait_minutes: null, status: 'unknown' })], NOW)).toBeNull()
})

test('a lane that has vanished from its feed is left out', () => {
  expect(
    queueWait(
      [latest({ wait_minutes: 10 }), latest({ checkpoint: 'gone', wait_minutes: 60, observed_at: ago(40) })],
      NOW,
    )?.average_wait_minutes,
  ).toBe(10)
})

test('each freshness step is entered on time, and an expired reading is never current', () => {
  const at = (minutes: number) => currentWaits([latest({ observed_at: ago(minutes) })], NOW)[0]?.wait.freshness
  expect([at(9), at(10), at(59), at(60), at(359)]).toEqual(['live', 'recent', 'recent', 'stale', 'stale'])
  expect(currentWaits([latest({ observed_at: ago(360) })], NOW)).toEqual([])
})

test("a fresher step wins over a nearer publisher; within a step the airport's own feed wins; history sources never", () => {
  const own = latest({ iata: 'ATL', source: 'atl-html', observed_at: ago(20), wait_minutes: 5 })
  const imported = latest({ iata: 'ATL', source: 'import-x', observed_at: ago(2), wait_minutes: 7 })
  const pick = (readings: LatestReading[]) => currentWaits(readings, NOW).map(({ wait }) => wait.source)
  expect(pick([own, imported])).toEqual(['import-x'])
  expect(pick([{ ...own, observed_at: ago(3) }, imported])).toEqual(['atl-html'])
  expect(pick([latest({ kind: 'immigration', source: 'cbp-awt', iata: 'ATL' })])).toEqual([])
})

test('security and immigration of one airport are two answers', () => {
  const waits = currentWaits(
    [
      latest({ iata: 'IAH', source: 'mobi-iah' }),
      latest({ iata: 'IAH', source: 'mobi-iah', kind: 'immigration', wait_minutes: 40 }),
    ],
    NOW,
  )
  expect(waits.map(({ kind, wait }) => [kind, wait.average_wait_minutes])).toEqual([
    ['security', 10],
    ['immigration', 40],
  ])
})
