import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import type { McpRequest } from '../../../api/mcp/call-tool.ts'
import { readFastPathRequest } from '../../../api/mcp/fast-path.ts'
import { mcpServer } from '../../../api/mcp/server.ts'
import { MCP_CATALOGUE } from '../../../bin/service/registry.ts'
import { readSettings } from '../../../config/settings.ts'
import { DIRECTORY } from '../airport-directory.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { expectBilled, type Harness, openHarness } from '../harness.ts'
import { changed, LEGACY, legacy, MODERN, messagesOf, modern, post, type Rpc } from './requests.ts'

const overview = { name: 'get_airport_overview', arguments: { iata: 'JFK' } }
const named = (name: string, given: object) => ({ name, arguments: given })

const MINUTE_MS = 61_000

/** The answer of the SDK alone, without the fast path. */
async function answerOfSdk({ state, controls }: Harness, { headers, body }: Rpc) {
  const dependencies = {
    settings: readSettings({}),
    state,
    directory: DIRECTORY,
    holder: { current: () => snapshotAt() },
  }
  const caller = { kind: 'key' as const, id: 'k', account_id: 'a', tier: 'free' as const }
  const counted: string[] = []
  const call = {
    admission: { caller, settle: () => undefined },
    request_id: 'same',
    source: '127.0.0.1',
    now: controls.now,
    signal: new AbortController().signal,
    count: (tool: string, outcome: string) => counted.push(`${tool} ${outcome}`),
  } as unknown as McpRequest
  const handler = createMcpHandler(() => mcpServer(MCP_CATALOGUE, dependencies, call))
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  const answer = await handler.fetch(request, { parsedBody: structuredClone(body) })
  const [message, ...more] = messagesOf(await answer.text())
  expect(more).toEqual([])
  return { status: answer.status, message, counted }
}

async function answerOfServer({ call }: Harness, { headers, body }: Rpc) {
  const answer = await call('free', '/mcp', post({ headers: { ...headers, 'x-request-id': 'same' }, body }))
  return { answer, status: answer.statusCode, message: messagesOf(answer.body)[0] }
}

const usesFastPath = ({ headers, body }: Rpc) => readFastPathRequest(MCP_CATALOGUE, { headers, body }) !== null

/** The usual requests of clients, in every protocol version. */
const USUAL: Record<string, Rpc> = {
  ...Object.fromEntries(
    [null, ...LEGACY].map((version) => [`call of ${version}`, legacy('tools/call', overview, version)]),
  ),
  [`call of ${MODERN}`]: modern('tools/call', overview),
  'text id': changed(legacy('tools/call', overview), { body: { id: 'a "quoted" \u2028 one' } }),
  'id 0': changed(modern('tools/call', overview), { body: { id: 0 } }),
  'call without arguments': legacy('tools/call', { name: 'get_faa_delays' }),
  'call with progress token': legacy('tools/call', { ...overview, _meta: { progressToken: 7, 'example/trace': 'x' } }),
  'modern call with progress token': modern('tools/call', { ...overview, _meta: { progressToken: 'a' } }),
  'invalid arguments': legacy('tools/call', named('get_airport_overview', { iata: 'jfk', colour: 'red' })),
  'modern invalid arguments': modern('tools/call', named('get_airport_overview', {})),
  'paid tool': modern('tools/call', named('get_wait_time_predictions', { iata: 'JFK' })),
  'unknown airport': legacy('tools/call', named('get_security_wait_estimate', { iata: 'QQQ' })),
  'search in words': modern('tools/call', named('search_airports', { query: 'new york', limit: 3 })),
  'charset named': changed(legacy('tools/call', overview), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  'modern that takes JSON only': changed(modern('tools/call', overview), { headers: { accept: 'application/json' } }),
}

/** Unusual requests, which the SDK answers; `protocol.test.ts` has those whose answer the protocol says. */
const UNUSUAL: Record<string, Rpc> = {
  'list without params': changed(legacy('tools/list'), { body: { params: undefined } }),
  'name of the prototype': legacy('tools/call', { name: '__proto__' }),
  cursor: legacy('tools/list', { cursor: 'x' }),
  'task of 2025-11-25': legacy('tools/call', { ...overview, task: { ttl: 1 } }),
  'answers of 2026-07-28': modern('tools/call', { ...overview, requestState: 'x' }),
  'arguments that are a list': legacy('tools/call', named('get_faa_delays', [])),
  'modern arguments that are a text': modern('tools/call', { name: 'get_faa_delays', arguments: 'JFK' }),
  'params that are a list': changed(legacy('tools/call', overview), { body: { params: [] } }),
  '_meta that is a text': legacy('tools/call', { ...overview, _meta: 'x' }),
  'progress token that is an object': legacy('tools/call', { ...overview, _meta: { progressToken: {} } }),
  'half an envelope': legacy('tools/call', {
    ...overview,
    _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN },
  }),
  'field beside the message': changed(legacy('tools/call', overview), { body: { extra: 1 } }),
  'another jsonrpc': changed(legacy('tools/call', overview), { body: { jsonrpc: '1.0' } }),
  'id null': changed(legacy('tools/call', overview), { body: { id: null } }),
  'id with a fraction': changed(legacy('tools/call', overview), { body: { id: 1.5 } }),
  'id above the safe integers': changed(legacy('tools/call', overview), { body: { id: 1e300 } }),
}

test('the fast path answers usual requests exactly like the SDK', async () => {
  const harness = await openHarness()
  for (const [name, request] of Object.entries(USUAL)) {
    harness.controls.now += MINUTE_MS
    expect(usesFastPath(request), name).toBe(true)
    const sdk = await answerOfSdk(harness, request)
    const ours = await answerOfServer(harness, request)
    expect(ours.status, name).toBe(sdk.status)
    expect(ours.message, name).toEqual(sdk.message)
    expect(ours.answer.headers, name).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'same',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
    })
  }
})

test('unusual requests are passed to the SDK', async () => {
  const harness = await openHarness()
  for (const [name, request] of Object.entries(UNUSUAL)) {
    harness.controls.now += MINUTE_MS
    expect(usesFastPath(request), name).toBe(false)
    const sdk = await answerOfSdk(harness, request)
    const ours = await answerOfServer(harness, request)
    expect(ours.status, name).toBe(sdk.status)
    expect(ours.message, name).toEqual(sdk.message)
    expect(ours.answer.headers, name).toMatchObject({ 'x-ratelimit-remaining': '29' })
  }
})

describe('metering', () => {
  const counters = async ({ call }: Harness) =>
    (await call(null, '/metrics')).body.split('\n').filter((line) => line.startsWith('holdshort_mcp_tool_calls_total{'))

  test('bills and counts a call once on both paths, cached or not; a failed call is only counted', async () => {
    const harness = await openHarness()
    const send = (rpc: Rpc) => harness.call('enterprise', '/mcp', post(rpc))
    const good = legacy('tools/call', overview)
    const throughSdk = changed(good, { headers: { 'content-type': 'application/json;charset=UTF-8; a=b' } })
    expect([usesFastPath(good), usesFastPath(throughSdk)]).toEqual([true, false])
    for (const rpc of [good, good, modern('tools/call', overview), throughSdk])
      expect(messagesOf((await send(rpc)).body)[0]).toMatchObject({ result: { structuredContent: {} } })
    await send(legacy('tools/call', named('get_airport_overview', {})))
    await send(changed(legacy('tools/call', named('get_airport_overview', {})), { headers: throughSdk.headers }))
    await send(legacy('tools/call', { name: 'no_such_tool' }))
    await send(legacy('tools/list'))
    await expectBilled(harness, 'enterprise', { get_airport_overview: 4 })
    expect((await counters(harness)).sort()).toEqual([
      'holdshort_mcp_tool_calls_total{tool="get_airport_overview",outcome="error"} 2',
      'holdshort_mcp_tool_calls_total{tool="get_airport_overview",outcome="ok"} 4',
      'holdshort_mcp_tool_calls_total{tool="unknown",outcome="error"} 1',
    ])
  })

  test('a cached result is used only for the same tier, minute and snapshot', async () => {
    const harness = await openHarness()
    const ask = async (tier: 'free' | 'enterprise', given: object) => {
      const answer = await harness.call(tier, '/mcp', post(legacy('tools/call', given as never)))
      return messagesOf(answer.body)[0]!.result!
    }
    const best = named('get_best_time_to_fly', { iata: 'JFK', departure: '2026-11-21T17:30', detail: 'full' })
    const horizonOf = async (tier: 'free' | 'enterprise') => (await ask(tier, best)).structuredContent!.forecast
    expect(await horizonOf('enterprise')).toMatchObject({ horizon_hours: 168 })
    expect(await horizonOf('free')).toMatchObject({ horizon_hours: 24 })
    harness.controls.now = Date.parse('2026-11-21T22:31:00Z')
    expect((await ask('free', best)).content![0]!.text).toContain('must be in the future')
    const wait = named('get_security_wait_estimate', { iata: 'JFK' })
    harness.controls.now = NOW
    expect((await ask('free', wait)).structuredContent).toMatchObject({ average_wait_minutes: 14 })
    harness.controls.snapshot = { ...snapshotAt(NOW, { queues: {} }) }
    expect((await ask('free', wait)).structuredContent).not.toMatchObject({ average_wait_minutes: 14 })
  })
})
