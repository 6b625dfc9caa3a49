import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../config/vocabulary.ts'
import type { Faults } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { listCaptures } from '../../warehouse/storage/raw-captures.ts'
import { EXHAUSTIVE, repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openTestPipeline, testTransport } from './test-pipeline.ts'

/** A Friday morning in America. */
const NOW = Date.parse('2026-11-20T15:00:20Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SEATTLE = 'www.portseattle.org'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A simulated world and a pipeline that collects from it, on one clock that the test moves. */
async function badDay(options: { breaker_failures?: number; retries?: number; timeout_ms?: number } = {}) {
  let clock = NOW
  const simulator = await startSimulatedWorld({ seed: 7, now: () => clock })
  const transport = testTransport(simulator.url, { now: () => clock, retries: 0, ...options })
  const pipeline = await openTestPipeline(await temporaryFolder(), transport, () => clock)
  open.push(simulator.close, pipeline.close)
  return {
    ...pipeline,
    simulator,
    wait: (ms: number) => {
      clock += ms
    },
    setFaults: (faults: Faults) => simulator.setFault({ hosts: [SEATTLE], ...faults }),
    /** Collects Seattle and another source; returns the error code of each, or null. */
    round: async () => {
      const codes: (string | null)[] = []
      for (const id of ['sea-cwt', 'jax-html'])
        for (const { error } of await pipeline.collect(id)) codes.push(error?.code ?? null)
      clock += 1_000
      return codes
    },
    publish: () => pipeline.publishAt(clock),
  }
}

const UNUSABLE: [string, Faults][] = [
  ['an HTML error page with status 200', { html_page: 2 }],
  ['a truncated body', { truncated: 2 }],
]

it.each(UNUSABLE.slice(0, repetitions(1, UNUSABLE.length)))(
  'a source with unusable answers: %s is a coded failure with its bytes kept; others go on, and the last good figure stays',
  async (_, faults) => {
    const day = await badDay()
    expect(await day.round()).toEqual([null, null])
    const good = (await day.publish()).queue('SEA', 'security')
    day.wait(5 * MINUTE)
    day.setFaults(faults)
    expect(await day.round()).toEqual(['PARSE_FAILED', null])
    expect(await day.round()).toEqual(['PARSE_FAILED', null])
    expect((await day.runs('sea-cwt')).at(-1)).toMatchObject({
      outcome: 'failed',
      error_code: 'PARSE_FAILED',
      new_rows: 0,
    })
    expect(await listCaptures(day.warehouse.data_dir, { source: 'sea-cwt' })).toHaveLength(3)
    const snapshot = await day.publish()
    const last = snapshot.queue('SEA', 'security')
    expect([last.average_wait_minutes, last.observed_at]).toEqual([good.average_wait_minutes, good.observed_at])
    expect(last.age_seconds! - good.age_seconds!).toBeGreaterThanOrEqual(300)
    expect(snapshot.sourceHealth().find(({ source }) => source === 'sea-cwt')).toMatchObject({
      state: 'failing',
      last_error_code: 'PARSE_FAILED',
    })
    expect(await day.round()).toEqual([null, null])
  },
)

it('a feed that no longer changes is flagged; its wait ages from live to stale and is not shown once expired', async () => {
  const day = await badDay()
  await day.round()
  day.setFaults({ frozen_at: NOW })
  const first = (await day.publish()).queue('SEA', 'security')
  const seen = [first]
  for (const ms of [30 * MINUTE, 2 * HOUR, 4 * HOUR]) {
    day.wait(ms)
    await day.round()
    seen.push((await day.publish()).queue('SEA', 'security'))
  }
  expect(seen.map(({ freshness, basis }) => freshness ?? basis)).toEqual(['live', 'recent', 'stale', 'typical'])
  for (const shown of seen.slice(0, 3))
    expect([shown.average_wait_minutes, shown.observed_at]).toEqual([first.average_wait_minutes, first.observed_at])
  expect(seen[3]).toMatchObject({ observed_at: null, age_seconds: null })
  expect(seen[3]?.source).not.toBe('sea-cwt')
  expect((await day.notices('sea-cwt')).map(({ code }) => code)).toContain('frozen')
  // The other source was collected all the time.
  expect((await day.publish()).queue('JAX', 'security').freshness).toBe('live')
})

describe('a source whose clock is wrong by an hour', () => {
  it('ahead: its readings are flagged, and the last good wait stays', async () => {
    const day = await badDay()
    await day.collect('panynj-graphql')
    const good = (await day.publish()).queue('JFK', 'security')
    day.wait(5 * MINUTE)
    day.simulator.setFault({ clock_off_minutes: 60 })
    await day.collect('panynj-graphql')
    expect((await day.notices('panynj-graphql')).map(({ code }) => code)).toContain('observed_in_future')
    // Neither now nor when our clock reaches those instants.
    expect((await day.publish()).queue('JFK', 'security').observed_at).toBe(good.observed_at)
    day.wait(HOUR)
    expect((await day.publish()).queue('JFK', 'security').observed_at).toBe(good.observed_at)
  })

  it.runIf(EXHAUSTIVE)('ahead, but with an age beside the figure: the age counts', async () => {
    const day = await badDay()
    day.setFaults({ clock_off_minutes: 60 })
    await day.round()
    expect((await day.publish()).queue('SEA', 'security')).toMatchObject({ basis: 'measured', freshness: 'live' })
  })

  it.runIf(EXHAUSTIVE)('behind: its readings are shown with the age that they state', async () => {
    const day = await badDay()
    day.setFaults({ clock_off_minutes: -60 })
    await day.round()
    const shown = (await day.publish()).queue('SEA', 'security')
    expect(shown.age_seconds).toBeGreaterThanOrEqual(3_600)
    expect(shown.freshness).toBe('stale')
  })
})

it.runIf(EXHAUSTIVE)(
  'without any good reading for a day, no measured wait is shown, and the delays are unknown',
  async () => {
    const day = await badDay()
    await day.round()
    await day.collect('faa-nas-status')
    expect((await day.publish()).delays('SEA').status).not.toBe('unknown')
    day.wait(DAY_MS)
    const snapshot = await day.publish()
    expect(snapshot.queue('SEA', 'security').basis).toBe('typical')
    expect(snapshot.delays('SEA')).toMatchObject({ supported: true, status: 'unknown', observed_at: null })
    expect(snapshot.coverage('SEA').live).toBe(false)
  },
)
