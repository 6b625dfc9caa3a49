import { describe, expect, test } from 'vitest'
import { currentWaits } from '../../../../warehouse/publishing/waits/choice-of-source.ts'
import { type LatestReading, queueWait } from '../../../../warehouse/publishing/waits/queue-wait.ts'
import { reading } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace('.000Z', 'Z')

const latest = (over: Partial<LatestReading> = {}): LatestReading =>
  reading({ observed_at: ago(2), wait_minutes: 10, ...over })

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

test('a range is published as a range and averaged by its middle, or by its one bound', () => {
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

test('without an open standard lane there is no wait, rather than the wait of another lane', () => {
  const closed = queueWait(
    [latest({ lane: 'precheck' }), latest({ checkpoint: '2', status: 'closed', wait_minutes: null })],
    NOW,
  )
  expect(closed).toMatchObject({ average_wait_minutes: null, unavailable_reason: 'closed', status: 'closed' })
  const silent = queueWait([latest({ wait_minutes: null, status: 'unknown' })], NOW)
  expect(silent).toMatchObject({ average_wait_minutes: null, status: 'unknown', status_basis: null })
  expect(silent?.unavailable_reason).toMatch(/the source gives none/)
  expect(queueWait([], NOW)).toBeNull()
})

test('a lane that has vanished from its feed is not averaged', () => {
  expect(
    queueWait(
      [latest({ wait_minutes: 10 }), latest({ checkpoint: 'gone', wait_minutes: 60, observed_at: ago(40) })],
      NOW,
    )?.average_wait_minutes,
  ).toBe(10)
})

test('each freshness step begins on time, and an expired reading is never current', () => {
  const freshnessAt = (minutes: number) => currentWaits([latest({ observed_at: ago(minutes) })], NOW)[0]?.wait.freshness
  expect([freshnessAt(9), freshnessAt(10), freshnessAt(59), freshnessAt(60), freshnessAt(359)]).toEqual([
    'live',
    'recent',
    'recent',
    'stale',
    'stale',
  ])
  expect(currentWaits([latest({ observed_at: ago(360) })], NOW)).toEqual([])
})

const sourcesOf = (readings: LatestReading[]) => currentWaits(readings, NOW).map(({ wait }) => wait.source)

test('of several fresh sources the publisher nearest to the queue is used; a stale source is not used while one is fresh', () => {
  const nearest = ['atl-html', 'zensors-las', 'catsa-html', 'delta-newshub', 'import-x', 'fromthetraytable', 'crowd']
  for (const [rank, source] of nearest.entries()) {
    const others = nearest.slice(rank + 1).map((further) => latest({ source: further, observed_at: ago(1) }))
    expect(sourcesOf([...others, latest({ source, observed_at: ago(59) })])).toEqual([source])
    const fresher = others[0]
    if (fresher) expect(sourcesOf([fresher, latest({ source, observed_at: ago(60) })])).toEqual([fresher.source])
  }
  expect(sourcesOf([latest({ source: 'crowd', observed_at: ago(60) }), latest({ observed_at: ago(300) })])).toEqual([
    'sea-cwt',
  ])
})

test('of equally near sources the newest is used; a source of history never; a source missing from the catalogue ranks as an import', () => {
  const keyed = latest({ source: 'swedavia-keyless', observed_at: ago(9) })
  expect(sourcesOf([keyed, latest({ source: 'sea-cwt', observed_at: ago(8) })])).toEqual(['sea-cwt'])
  expect(sourcesOf([latest({ kind: 'immigration', source: 'cbp-awt', iata: 'ATL' })])).toEqual([])
  expect(sourcesOf([latest({ source: 'not-in-catalogue' }), latest({ source: 'fromthetraytable' })])).toEqual([
    'not-in-catalogue',
  ])
})

test('the basis of travellers’ reports is reported', () => {
  expect(currentWaits([latest({ source: 'crowd', terminal: '4' })], NOW)[0]?.wait).toMatchObject({
    basis: 'reported',
    source: 'crowd',
    terminals: [{ basis: 'reported', checkpoints: [{ basis: 'reported', source: 'crowd', age_seconds: 120 }] }],
  })
})

test('every terminal and lane has its own source, age and freshness; a terminal without a wait gives the reason', () => {
  const wait = queueWait(
    [
      latest({ terminal: '1', observed_at: ago(2) }),
      latest({ terminal: '1', checkpoint: '2', observed_at: ago(15) }),
      latest({ terminal: '2', observed_at: ago(3), wait_minutes: null, status: 'closed' }),
    ],
    NOW,
  )
  expect(wait?.terminals).toMatchObject([
    {
      terminal: '1',
      observed_at: ago(15),
      age_seconds: 900,
      freshness: 'recent',
      source: 'sea-cwt',
      basis: 'measured',
    },
    { terminal: '2', wait_minutes: null, age_seconds: 180, unavailable_reason: 'closed' },
  ])
  expect(wait?.terminals[0]?.checkpoints).toMatchObject([
    { age_seconds: 120, freshness: 'live', source: 'sea-cwt' },
    { age_seconds: 900, freshness: 'recent' },
  ])
})

describe('terminals of a second source', () => {
  const own = (terminal: string, over: Partial<LatestReading> = {}) =>
    latest({ source: 'panynj-graphql', terminal, ...over })
  const airline = (terminal: string, over: Partial<LatestReading> = {}) =>
    latest({ source: 'delta-newshub', terminal, wait_minutes: 20, observed_at: ago(9), ...over })
  const published = (readings: LatestReading[]) => {
    const [found] = currentWaits(readings, NOW)
    return {
      average: found?.wait.average_wait_minutes,
      source: found?.wait.source,
      terminals: found?.wait.terminals.map(({ terminal, wait_minutes, source }) => [terminal, wait_minutes, source]),
    }
  }

  test('are added where the first source lacks them and both share a terminal name', () => {
    expect(published([own('4'), airline('Terminal 04', { wait_minutes: 12 }), airline('T8')])).toEqual({
      average: 15,
      source: 'panynj-graphql+delta-newshub',
      terminals: [
        ['4', 10, 'panynj-graphql'],
        ['T8', 20, 'delta-newshub'],
      ],
    })
  })

  test('are not added when the two sources share no terminal name, so that no queue appears twice', () => {
    const alone = { average: 10, source: 'panynj-graphql' }
    expect(published([own('North'), airline('Concourse B')])).toMatchObject(alone)
    expect(published([own(''), airline(''), airline('8')])).toMatchObject(alone)
    expect(published([own('4'), airline('4'), airline('8', { status: 'closed', wait_minutes: null })])).toMatchObject(
      alone,
    )
  })

  test('replace a stale figure by a fresh one, and nothing else', () => {
    const first = [own('1', { observed_at: ago(40) }), own('4', { observed_at: ago(65) })]
    expect(published([...first, airline('1', { wait_minutes: 11 }), airline('T4')]).terminals).toEqual([
      ['1', 10, 'panynj-graphql'],
      ['T4', 20, 'delta-newshub'],
    ])
    expect(published([own('1'), own('4'), airline('1'), airline('T4')]).source).toBe('panynj-graphql')
    expect(published([...first, airline('T4', { observed_at: ago(61) })]).source).toBe('panynj-graphql')
  })

  test('make the average as old as its oldest reading, and reported when one of them is', () => {
    const [found] = currentWaits(
      [
        own('4'),
        airline('4'),
        airline('8'),
        own('4', { source: 'crowd' }),
        own('7', { source: 'crowd', observed_at: ago(30) }),
      ],
      NOW,
    )
    expect(found?.wait).toMatchObject({
      basis: 'reported',
      age_seconds: 1_800,
      freshness: 'recent',
      observed_at: ago(30),
    })
    expect(found?.wait.terminals.map(({ basis }) => basis)).toEqual(['measured', 'reported', 'measured'])
  })

  test('are not added from an aggregator or travellers whose figure is over 15 minutes away', () => {
    for (const source of ['fromthetraytable', 'crowd']) {
      const other = (wait: number) => [
        airline('4', { source, wait_minutes: wait }),
        airline('8', { source, wait_minutes: wait }),
      ]
      expect(published([own('4'), ...other(26)]).source).toBe('panynj-graphql')
      expect(published([own('4'), ...other(25)]).source).toBe(`panynj-graphql+${source}`)
    }
    expect(published([own('4'), airline('4', { wait_minutes: 60 }), airline('8')]).source).toBe(
      'panynj-graphql+delta-newshub',
    )
  })
})

test('security and immigration of one airport are two waits', () => {
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
