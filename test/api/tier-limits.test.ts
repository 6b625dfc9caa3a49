import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { DAY_MS, HOUR_MS, isoUtc, type Tier } from '../../config/vocabulary.ts'
import { repetitions } from '../exhaustive.ts'
import { NOW, snapshotAt, THIS_HOUR } from './example-snapshot.ts'
import { forecastFrom, historyOf } from './fake-snapshot.ts'
import { openHarness } from './harness.ts'
import { messagesOf, toolCall } from './mcp/requests.ts'

/** It is 09:20 in New York. The local day seven days ago began at 05:00 UTC. */
const limitsAt = (now: number) => {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  return {
    pro: { oldest: Date.parse('2026-11-14T05:00:00Z'), newest: hour + 23 * HOUR_MS, terminals: false },
    enterprise: { oldest: 0, newest: hour + 167 * HOUR_MS, terminals: true },
  }
}

async function opened() {
  const harness = await openHarness()
  const observed = Array.from({ length: 200 * 24 }, (_, back) => THIS_HOUR - (200 * 24 - back) * HOUR_MS)
  harness.controls.snapshot = snapshotAt(NOW, {
    forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('JFK', THIS_HOUR, 'T4')],
    history: [historyOf('JFK', observed, () => 125), historyOf('JFK', observed, () => 80, 'T4')],
  })
  return harness
}

const localDay = fc.integer({ min: -100, max: 9 }).map((days) => isoUtc(NOW + days * DAY_MS).slice(0, 10))
const input = fc.record(
  {
    days: fc.integer({ min: 1, max: 90 }),
    from: localDay,
    to: localDay,
    date: localDay,
  },
  { requiredKeys: [] },
)
const REQUESTS = fc.record({
  path: fc.constantFrom('predictions', 'historical'),
  input,
  over: fc.constantFrom('json', 'csv', 'head', 'conditional', 'mcp'),
})

interface Row {
  time: string
  terminal: string | null
}

/** The hours of an answer, with those of its terminals. */
function rowsOf(body: string, asCsv: boolean): Row[] {
  if (asCsv) {
    const lines = body.trimEnd().split('\r\n').slice(1)
    return lines.map((line) => {
      const [, terminal = '', time = ''] = line.split(',')
      return { terminal: ['', WHOLE_AIRPORT].includes(terminal) ? null : terminal, time }
    })
  }
  const { hours } = JSON.parse(body) as { hours: (Partial<Row> & { time: string; terminals?: Row[] })[] }
  return hours.flatMap(({ time, terminal = null, terminals = [] }) => [
    { time, terminal },
    ...terminals.map((terminal) => ({ time, terminal: terminal.terminal })),
  ])
}

test('no combination of parameters, formats and methods shows hours or terminals beyond those of the tier', async () => {
  const { call, controls } = await opened()
  const ask = async (tier: Tier, { path, input, over }: typeof REQUESTS extends fc.Arbitrary<infer T> ? T : never) => {
    if (over === 'mcp') {
      const name = path === 'predictions' ? 'get_wait_time_predictions' : 'get_historical_wait_times'
      const answer = await call(tier, '/mcp', toolCall(name, { iata: 'JFK', detail: 'full', ...input }))
      const result = messagesOf(answer.body)[0]!.result!
      return { body: result.structuredContent ? JSON.stringify(result.structuredContent) : '', shown: !result.isError }
    }
    const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))
    const headers = {
      ...(over === 'csv' && { accept: 'text/csv' }),
      ...(over === 'conditional' && { 'if-none-match': '*' }),
    }
    const method = over === 'head' ? 'HEAD' : 'GET'
    const answer = await call(tier, `/api/v1/airports/JFK/${path}?${query}`, { method, headers })
    expect([200, 304, 400, 403]).toContain(answer.statusCode)
    return { body: answer.body, shown: answer.statusCode === 200 }
  }
  await fc.assert(
    fc.asyncProperty(REQUESTS, async (request) => {
      // The free tier has 30 requests a minute.
      controls.now += 2_500
      expect((await ask('free', request)).shown).toBe(false)
      for (const tier of ['pro', 'enterprise'] as const) {
        const { body, shown } = await ask(tier, request)
        if (!shown || body === '') continue
        const { oldest, newest, terminals } = limitsAt(controls.now)[tier]
        for (const { time, terminal } of rowsOf(body, request.over === 'csv')) {
          expect(Date.parse(time)).toBeGreaterThanOrEqual(oldest)
          expect(Date.parse(time)).toBeLessThanOrEqual(newest)
          if (!terminals) expect(terminal).toBeNull()
        }
      }
    }),
    { numRuns: repetitions(60, 2_000) },
  )
})
