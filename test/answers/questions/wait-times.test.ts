import { expect, test } from 'vitest'
import { bulkWaitTimes } from '../../../answers/questions/bulk-wait-times.ts'
import { getWaitTimes, type WaitTimes } from '../../../answers/questions/get-wait-times.ts'
import {
  ShownQueueWait,
  withProvenanceEverywhere,
  withProvenanceOnce,
} from '../../../answers/questions/shown-queue-wait.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import { readTime } from '../../../warehouse/publishing/read/read-time.ts'
import { waits } from '../../../warehouse/publishing/read/waits.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { measured } from '../../api/fake-snapshot.ts'
import { shareHarness } from '../../api/harness.ts'
import { callOf } from '../../api/tools/run-tool.ts'

const { call } = shareHarness()

const contextOf = (tier: Tier, snapshot = snapshotAt()) => ({ snapshot, directory: DIRECTORY, tier, now: NOW })

test('the answer has the fields of the specification, with provenance as of the snapshot', () => {
  expect(getWaitTimes.run({ iata: 'JFK' }, contextOf('enterprise'))).toMatchObject({
    airport: 'JFK',
    timestamp: '2026-11-21T14:20:00Z',
    granularity: 'terminal',
    simulated: false,
    security: {
      average_wait_minutes: 14,
      basis: 'measured',
      observed_at: '2026-11-21T14:18:00Z',
      age_seconds: 120,
      source: 'panynj',
      freshness: 'live',
      unavailable_reason: null,
      terminals: [
        {
          terminal: 'T4',
          wait_minutes: 14,
          checkpoints: [{ checkpoint: 'Main', lane: 'standard', range: { low: 10, high: null }, open: true }],
        },
      ],
    },
    check_in: { average_wait_minutes: null, unavailable_reason: 'no source covers this queue' },
    predictions: {
      next_hour: 1,
      confidence: 0.73,
      low: 0,
      high: 6,
      valid_at: '2026-11-21T15:00:00Z',
      basis: 'predicted',
      source: 'model:JFK@2026-11-20T04Z',
    },
  })
})

test('minutes are whole numbers in the answer', () => {
  const snapshot = snapshotAt(NOW, { queues: { 'JFK security': measured(NOW, 13.6) } })
  const answer = getWaitTimes.run({ iata: 'JFK' }, contextOf('pro', snapshot))
  expect(answer).toMatchObject({ granularity: 'airport', security: { average_wait_minutes: 14, terminals: [] } })
})

test('an expired measurement is never shown, even if the snapshot has one', () => {
  const expired = { ...measured(NOW, 55), freshness: 'expired' as const, age_seconds: 90_000 }
  const snapshot = snapshotAt(NOW, { queues: { 'JFK security': expired } })
  const { security } = getWaitTimes.run({ iata: 'JFK' }, contextOf('enterprise', snapshot)) as { security: object }
  expect(security).toMatchObject({ average_wait_minutes: null, basis: null, terminals: [] })
  expect(JSON.stringify(security)).not.toContain('55')
})

test('bulk keeps the order, answers duplicates once and lists unknown codes', () => {
  const codes = ['LGA', 'QQQ', 'JFK', 'LGA']
  const answer = bulkWaitTimes.run({ codes }, contextOf('enterprise')) as {
    data: { airport: string }[]
    not_found: string[]
  }
  expect(answer.data.map(({ airport }) => airport)).toEqual(['LGA', 'JFK'])
  expect(answer.not_found).toEqual(['QQQ'])
  expect(answer.data[1]).toEqual(getWaitTimes.run({ iata: 'JFK' }, contextOf('enterprise')))
})

// How many codes a tier may send is in the table of tiers.test.ts.
test.each([{ codes: ['J1'] }, { codes: 'JFK' }, { codes: ['JFK'], iata: 'JFK' }, {}, []])(
  'bulk refuses %j',
  async (payload) => {
    const answer = await call('enterprise', '/api/v1/airports/bulk', { method: 'POST', payload })
    expect(answer.statusCode).toBe(400)
  },
)

test('provenance is given once, where it changes, and expanding gives every level all of it', () => {
  const queue = snapshotAt().queue('JFK', 'security')
  const [terminal] = queue.terminals
  const lane = terminal?.checkpoints[0]
  if (!terminal || !lane) throw new Error('the example has no terminal with a lane')
  const closed = { ...lane, lane: 'precheck' as const, status: 'closed' as const, unavailable_reason: 'closed' }
  const older = { ...terminal, terminal: 'T8', source: 'crowd', basis: 'reported' as const, age_seconds: 900 }
  const wait = {
    ...queue,
    terminals: [
      { ...terminal, checkpoints: [lane, closed] },
      { ...older, checkpoints: [{ ...lane, source: 'crowd', basis: 'reported' as const }] },
      { ...terminal, terminal: 'T9', observed_at: null, basis: null, checkpoints: [lane] },
    ],
  }
  const once = withProvenanceOnce(wait)
  expect(ShownQueueWait.parse(once)).toEqual(once)
  expect(withProvenanceEverywhere(once)).toEqual(wait)
  expect(Object.keys(once.terminals[0]?.checkpoints[0] ?? {})).not.toContain('source')
  expect(once.terminals[0]?.checkpoints[1]).toMatchObject({ status: 'closed', unavailable_reason: 'closed' })
  expect(once.terminals[1]).toMatchObject({ source: 'crowd', basis: 'reported', age_seconds: 900 })
  expect(once.terminals[2]).toMatchObject({ observed_at: null, basis: null })
  expect(once.terminals[2]?.checkpoints[0]).toMatchObject({ observed_at: lane.observed_at, basis: lane.basis })
})

test('the figure of each of several sources stands beside the one that is shown, in REST and in the one-figure tool', async () => {
  const figure = {
    observed_at: '2026-11-21T14:18:00Z',
    age_seconds: 120,
    usual_difference_minutes: null,
    disagrees: false,
    basis: 'measured' as const,
    freshness: 'live' as const,
  }
  const figures = [
    { ...figure, source: 'msp-html', wait_minutes: 14 },
    { ...figure, source: 'delta-newshub', wait_minutes: 31, usual_difference_minutes: 9, disagrees: true },
  ]
  const over = snapshotAt(NOW, {
    queues: { 'JFK security': measured(NOW, 14) },
    figuresBySource: { 'JFK security': figures },
  })
  const { security, security_by_source } = getWaitTimes.run({ iata: 'JFK' }, contextOf('pro', over)) as WaitTimes
  expect(security.average_wait_minutes).toBe(14)
  expect(security_by_source).toEqual(figures)
  const { text, structured } = callOf<{ by_source: unknown }>(
    getSecurityWaitEstimateTool,
    { iata: 'JFK' },
    'free',
    over,
  )
  expect(structured.by_source).toEqual(figures)
  expect(text).toMatch(/By source: .*: 14 min; .*: 31 min\. They disagree more than they usually do, .* at most 9 min/)
  expect(getWaitTimes.run({ iata: 'JFK' }, contextOf('pro'))).toMatchObject({ security_by_source: [] })
})

test('a figure that has grown older than an hour since the snapshot is not shown beside another', () => {
  const figure = (minutes: number, source: string) => ({
    source,
    wait_minutes: 9,
    observed_at: new Date(NOW - minutes * 60_000).toISOString(),
    age_seconds: minutes * 60,
    usual_difference_minutes: null,
    disagrees: false,
    basis: 'measured' as const,
    freshness: 'live' as const,
  })
  const source_figures = [
    { iata: 'MSP', kind: 'security' as const, figures: [figure(1, 'msp-html'), figure(50, 'delta-newshub')] },
  ]
  const index = { ...waits.index({ queues: [], source_figures }) }
  const readAt = (minutes: number) =>
    waits
      .read(index as Parameters<typeof waits.read>[0], readTime(NOW, NOW + minutes * 60_000))
      .figuresBySource('MSP', 'security')
  expect(readAt(5).map(({ age_seconds }) => age_seconds)).toEqual([360, 3_300])
  expect(readAt(15)).toEqual([])
})
