import { describe, expect, test } from 'vitest'
import { liveWaitText } from '../../../answers/texts/live-wait-text.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import { unavailable } from '../../../jobs/calls/define-call.ts'
import { type LiveAnswer, type LiveRequest, liveCall } from '../../../jobs/calls/live.ts'
import { repetitions } from '../../exhaustive.ts'
import { LIVE_WAIT, liveAnswer } from '../../jobs/calls/live-answer.ts'
import { type Harness, shareHarness } from '../harness.ts'
import { call, connect } from '../mcp-clients.ts'

const harness = shareHarness()

const TOOL = 'get_live_wait_time'
const billed = async (harness: Harness) => (await harness.call('pro', '/api/agent/me')).json().usage.calls

describe.each((['sdk 1', 'client 2'] as const).slice(0, repetitions(1, 2)))('get_live_wait_time with %s', (kind) => {
  /** What the tool answers to a key of a tier when the pipeline answers so. */
  async function answered(tier: Tier, live: Partial<LiveAnswer>, iata = 'JFK') {
    harness.controls.answerLive = async () => liveAnswer(live)
    return call(await connect(harness, tier, kind), TOOL, { iata })
  }

  test('Pro sees the airport, Enterprise the terminals, in whole minutes', async () => {
    const pro = await answered('pro', {})
    expect(pro.structuredContent).toMatchObject({
      airport: 'JFK',
      kind: 'security',
      outcome: 'scraped',
      granularity: 'airport',
      simulated: false,
      source: 'panynj-graphql',
      last_known: null,
      wait: { average_wait_minutes: 14, basis: 'measured', age_seconds: 120, freshness: 'live', terminals: [] },
    })
    const enterprise = await answered('enterprise', {})
    expect(enterprise.structuredContent).toMatchObject({
      granularity: 'terminal',
      wait: { terminals: [{ terminal: 'T4', wait_minutes: 14, checkpoints: [{ checkpoint: 'Main', open: true }] }] },
    })
    expect(enterprise.content[0]!.text).toMatch(
      /^JFK security now: about 14 minutes; T4 only \(measured 2 min ago by the airport\)\.\nTerminal 4: 14 min\nMore: /,
    )
    expect(await billed(harness)).toBe(1)
  })

  test('a figure of terminals that differ is their range, with the longest and what is closed, for Pro too', async () => {
    const terminal = (name: string, minutes: number | null) => ({
      ...LIVE_WAIT.terminals[0]!,
      terminal: name,
      status: minutes === null ? ('closed' as const) : ('open' as const),
      wait_minutes: minutes,
      checkpoints: LIVE_WAIT.terminals[0]!.checkpoints.map((lane) => ({ ...lane, wait_minutes: minutes })),
    })
    const terminals = [terminal('T1', 5), terminal('T4', 19), terminal('T7', null)]
    const answer = await answered('pro', { wait: { ...LIVE_WAIT, average_wait_minutes: 12, terminals } })
    expect(answer.content[0]!.text).toContain(
      'JFK security now: 5–19 min; longest at T4; T7 closed; 12 min on average (measured',
    )
    expect(answer.structuredContent).toMatchObject({
      spread: { standard_lanes: { shortest_minutes: 5, longest_minutes: 19 } },
    })
    // The sentence of the structured answer is that of the text, and not the pipeline's average.
    expect(answer.content[0]!.text).toContain(answer.structuredContent!['message'])
  })

  test('a terminal that was named leads alone on Enterprise; Pro is told that the answer is of the airport', async () => {
    const terminals = ['T1', 'T4', 'T5', 'T7'].map((terminal) => ({ ...LIVE_WAIT.terminals[0]!, terminal }))
    const live = { wait: { ...LIVE_WAIT, terminals } }
    const named = await answered('enterprise', live, 'JFK T7')
    expect(named.structuredContent).toMatchObject({ terminal: 'T7', wait: { terminals: [{ terminal: 'T7' }] } })
    expect(named.content[0]!.text).toMatch(/^Terminal 7: 14 min\nJFK security now: about 14 minutes/)
    const pro = await answered('pro', live, 'JFK T7')
    expect(pro.content[0]!.text).toMatch(/^This is of all of JFK, not of Terminal 7 alone\. JFK security now/)
    const unknown = await answered('enterprise', live, 'JFK T9')
    expect(unknown.content[0]!.text).toContain('JFK has no terminal "9"; known are: ')
  })

  test('returns PREMIUM_REQUIRED to a free key without a live request', async () => {
    const requests: LiveRequest[] = []
    harness.controls.answerLive = async (request) => {
      requests.push(request)
      return liveAnswer()
    }
    const answer = await call(await connect(harness, 'free', kind), TOOL, { iata: 'JFK' })
    expect(answer.content[0]!.text).toContain('PREMIUM_REQUIRED')
    expect(requests).toEqual([])
    await call(await connect(harness, 'pro', kind), TOOL, { iata: 'JFK', kind: 'immigration' })
    expect(requests).toEqual([{ iata: 'JFK', kind: 'immigration' }])
  })

  test('an expired last known wait keeps its figure and freshness, and is not the wait', async () => {
    const last_known = { ...LIVE_WAIT, age_seconds: 30_000, freshness: 'expired' as const }
    const answer = await answered('pro', { outcome: 'unreachable', source: null, wait: null, last_known })
    expect(answer.isError ?? false).toBe(false)
    expect(answer.structuredContent).toMatchObject({
      outcome: 'unreachable',
      wait: null,
      last_known: { average_wait_minutes: 14, age_seconds: 30_000, freshness: 'expired', terminals: [] },
    })
  })

  test('tells closed, no figure, unreachable and no source apart, each with a way on', async () => {
    const textOf = async (live: Partial<LiveAnswer>) => (await answered('enterprise', live)).content[0]!.text
    const noMinutes = { average_wait_minutes: null, terminals: [] }
    const closed = { ...LIVE_WAIT, ...noMinutes, status: 'closed' as const, reopens_at: '2026-11-22T09:00:00Z' }
    expect(await textOf({ wait: { ...closed, unavailable_reason: 'closed' } })).toContain(
      'JFK security is closed now (stated 2 min ago by the airport); it opens about 04:00 on Sun 22 Nov.',
    )
    const old = { ...LIVE_WAIT, age_seconds: 30_000, freshness: 'expired' as const, terminals: [] }
    const none = { ...LIVE_WAIT, ...noMinutes, status: 'unknown' as const, unavailable_reason: 'no lane has a figure' }
    expect(await textOf({ wait: none, last_known: old })).toMatch(
      /the source answered but gives no figure \(no lane has a figure\)\.\nLast known: 14 min \(measured 8 h ago .*too old to rely on/,
    )
    const attempts = [{ source: 'panynj', code: 'LIVE_TIMEOUT', message: 'slow', milliseconds: 9_000 }]
    expect(await textOf({ outcome: 'unreachable', source: null, wait: null, attempts })).toMatch(
      /no source could be reached \(panynj did not answer\)\. Try again.*\nNothing was observed there in the last 30 days/,
    )
    expect(await textOf({ outcome: 'no_source', source: null, wait: null, attempts: [] })).toContain(
      'get_airport_overview',
    )
  })

  test('an airport without terminals names its checkpoints, and its figure once', async () => {
    const [terminal] = LIVE_WAIT.terminals
    const [main] = terminal!.checkpoints
    const checkpoints = [
      { ...main!, checkpoint: '1', wait_minutes: 3 },
      { ...main!, checkpoint: '1', lane: 'precheck' as const, wait_minutes: 2 },
      { ...main!, checkpoint: '5', wait_minutes: 9 },
    ]
    const wait = { ...LIVE_WAIT, average_wait_minutes: 6, terminals: [{ ...terminal!, terminal: 'all', checkpoints }] }
    const { content } = await answered('enterprise', { wait })
    expect(content[0]!.text).toMatch(
      /^JFK security now: 3–9 min; longest at checkpoint 5; 6 min on average \(measured .*\)\.\nCheckpoint 1: standard lane 3 min, PreCheck lane 2 min; checkpoint 5: standard lane 9 min\.\n/,
    )
  })

  test('names the paid lanes and closed checkpoints of each terminal', async () => {
    const [terminal] = LIVE_WAIT.terminals
    const [main] = terminal!.checkpoints
    const lanes = [
      main!,
      { ...main!, lane: 'precheck' as const, wait_minutes: 3 },
      { ...main!, checkpoint: 'North', wait_minutes: null, open: false, status: 'closed' as const },
    ]
    const wait = { ...LIVE_WAIT, terminals: [{ ...terminal!, checkpoints: lanes }] }
    const { content } = await answered('enterprise', { wait })
    expect(content[0]!.text).toContain(
      'Terminal 4: 14 min (“Main”: standard lane 14 min, PreCheck lane 3 min; “North”: standard lane closed)',
    )
  })

  test('a stopped pipeline and an unknown airport are coded tool errors and not billed', async () => {
    harness.controls.answerLive = () => Promise.reject(unavailable(liveCall, 'is not running'))
    const client = await connect(harness, 'pro', kind)
    const down = await call(client, TOOL, { iata: 'JFK' })
    expect(down.isError).toBe(true)
    expect(down.content[0]!.text).toContain('LIVE_UNAVAILABLE: the pipeline is not running')
    expect(down._meta?.['holdshort/problem']).toMatchObject({ code: 'LIVE_UNAVAILABLE', status: 503 })
    expect((await call(client, TOOL, { iata: 'QQQ' })).content[0]!.text).toContain('AIRPORT_NOT_FOUND')
    expect((await call(client, TOOL, { iata: 'JFK', kind: 'customs' })).content[0]!.text).toContain('kind')
    expect(await billed(harness)).toBe(0)
  })

  test('stops waiting for a caller that disconnects, and sends progress to one that waits', async () => {
    const client = await connect(harness, 'pro', kind)
    let gone: (() => void) | undefined
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    harness.controls.answerLive = (_request, stop) =>
      new Promise((_, reject) => {
        stop.addEventListener('abort', () => {
          gone?.()
          reject(stop.reason as Error)
        })
      })
    const leaving = new AbortController()
    const notifications: unknown[] = []
    const onprogress = (progress: unknown) => {
      notifications.push(progress)
      leaving.abort()
    }
    const called = { name: TOOL, arguments: { iata: 'JFK' } }
    const options = { signal: leaving.signal, onprogress, timeout: 5_000 }
    await expect(
      kind === 'sdk 1' ? client.callTool(called, undefined, options) : client.callTool(called, options),
    ).rejects.toThrow()
    expect(notifications).toMatchObject([{ progress: 1 }])
    if (kind === 'client 2') await left
    expect(await billed(harness)).toBe(0)
  })
})

test.each([
  ['scraped', ', whatever the source of JFK security still publishes.'],
  ['no_source', '.'],
] as const)('while airlines are shut out no wait is given (%s)', (outcome, end) => {
  const shown = {
    ...liveAnswer(),
    terminal: null,
    outcome,
    timezone: 'America/New_York',
    wait: outcome === 'scraped' ? LIVE_WAIT : null,
    spread: null,
    airport_closure: { until: '2026-11-21T15:00:00Z', end: 'until 10:00', repeats: null },
  }
  expect(liveWaitText(shown, shown)).toBe(
    `JFK is closed to airlines until 10:00: nobody flies, so no wait is given${end}`,
  )
})

test.each([
  [
    'security',
    /is read live here\. get_airport_overview has what else is known of it\. get_crowd_reports has what travellers said, if any did\.$/,
  ],
  // No other tool has anything of it.
  ['checkin', /is read live here\. get_crowd_reports has what travellers said, if any did\.$/],
] as const)('a wait without a source leads to what is known of %s', (kind, words) => {
  const shown = {
    ...liveAnswer(),
    terminal: null,
    kind,
    outcome: 'no_source' as const,
    timezone: 'America/New_York',
    wait: null,
    spread: null,
    airport_closure: null,
  }
  expect(liveWaitText(shown, shown)).toMatch(words)
})
