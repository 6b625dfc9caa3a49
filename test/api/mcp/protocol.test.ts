import { expect, test } from 'vitest'
import type { Tier } from '../../../config/vocabulary.ts'
import { type Harness, openHarness, shareHarness } from '../harness.ts'
import { BOTH, changed, ENVELOPE, LEGACY, legacy, MODERN, messagesOf, modern, post, type Rpc } from './requests.ts'

const harness = shareHarness()
const { call } = harness

/** `tools/list` in each protocol version, with and without the header that names it. */
const LISTINGS: [string, Rpc][] = [
  ['no version', legacy('tools/list')],
  ...LEGACY.map((version): [string, Rpc] => [version, legacy('tools/list', {}, version)]),
  [MODERN, modern('tools/list')],
]

const overview = { name: 'get_airport_overview', arguments: { iata: 'JFK' } }

async function ask({ call }: Harness, rpc: Rpc, tier: Tier | null = 'enterprise') {
  const answer = await call(tier, '/mcp', post(rpc))
  return { answer, status: answer.statusCode, message: answer.body === '' ? undefined : messagesOf(answer.body)[0] }
}

/** A request with an arbitrary body and the headers of a client of 2025. */
const raw = (payload: string, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  payload,
  headers: { accept: BOTH, 'content-type': 'application/json', ...headers },
})

test('answers 401 with the address of the metadata in every protocol version, without a key and for an unknown key', async () => {
  for (const [name, rpc] of LISTINGS) {
    const missing = await ask(harness, rpc, null)
    expect(missing.status, name).toBe(401)
    expect(missing.answer.headers['www-authenticate'], name).toMatch(
      /^Bearer .*resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/,
    )
    const wrong = changed(rpc, { headers: { authorization: `Bearer ${harness.keys.free.key.slice(0, -1)}-` } })
    expect((await ask(harness, wrong, null)).status, name).toBe(401)
    expect((await ask(harness, rpc)).message!.result!.tools, name).toHaveLength(22)
  }
})

test('answers GET and DELETE 405 with Allow in every protocol version', async () => {
  for (const [name, { headers }] of LISTINGS)
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const answer = await call('free', '/mcp', { method, headers })
      expect([answer.statusCode, answer.headers.allow], `${method} ${name}`).toEqual([405, 'OPTIONS, POST'])
    }
})

test('initialize answers the requested version or the newest one it supports; discover answers 2026-07-28', async () => {
  const hello = (protocolVersion: string) =>
    legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  for (const version of LEGACY)
    expect((await ask(harness, hello(version))).message!.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'holdshort' },
      capabilities: { tools: {} },
    })
  for (const version of ['2019-01-01', MODERN])
    expect((await ask(harness, hello(version))).message!.result).toMatchObject({ protocolVersion: LEGACY[0] })
  const discovered = (await ask(harness, modern('server/discover'))).message!.result
  expect(discovered).toMatchObject({ supportedVersions: [MODERN], capabilities: { tools: {} }, resultType: 'complete' })
})

test('refuses mismatched versions and headers with their error codes', async () => {
  const call = modern('tools/call', overview)
  const refused: [string, Rpc, number][] = [
    ['unknown version', legacy('tools/list', {}, '1999-01-01'), -32_000],
    ['modern header without envelope', legacy('tools/list', {}, MODERN), -32_602],
    [
      'envelope of a version to come',
      modern('tools/list', { _meta: { ...ENVELOPE, [VERSION]: '2031-01-01' } }),
      -32_020,
    ],
    ['no version header', changed(call, { headers: { 'mcp-protocol-version': undefined } }), -32_020],
    ['another version header', changed(call, { headers: { 'mcp-protocol-version': LEGACY[0] } }), -32_020],
    ['no method header', changed(call, { headers: { 'mcp-method': undefined } }), -32_020],
    ['another method header', changed(call, { headers: { 'mcp-method': 'tools/list' } }), -32_020],
    ['no name header', changed(call, { headers: { 'mcp-name': undefined } }), -32_020],
    ['another name header', changed(call, { headers: { 'mcp-name': 'get_lounges' } }), -32_020],
  ]
  for (const [name, rpc, code] of refused) {
    const { status, message } = await ask(harness, rpc)
    expect([status, message?.error?.code], name).toEqual([400, code])
  }
  const later = modern('tools/list', { _meta: { ...ENVELOPE, [VERSION]: '2031-01-01' } })
  const known = changed(later, { headers: { 'mcp-protocol-version': '2031-01-01' } })
  const { status, message } = await ask(harness, known)
  expect([status, message?.error]).toMatchObject([400, { data: { supported: [MODERN], requested: '2031-01-01' } }])
})

const VERSION = 'io.modelcontextprotocol/protocolVersion'

test('answers bodies that are not a message with JSON-RPC errors, never with an internal error', async () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const bodies: [string, ReturnType<typeof raw>, number, number][] = [
    ['half a message', raw('{"jsonrpc":"2.0"'), 400, -32_700],
    ['no JSON', raw('hello'), 400, -32_700],
    ['nothing', raw(''), 400, -32_700],
    ['a key of the prototype', raw('{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}'), 400, -32_700],
    ['a number', raw('7'), 400, -32_600],
    ['null', raw('null'), 400, -32_600],
    ['an empty batch', raw('[]'), 400, -32_600],
    ['a batch of 2026-07-28', raw(JSON.stringify([modern('tools/list').body])), 400, -32_600],
    ['deep nesting', raw(deep), 400, -32_700],
    ['too large', raw(`{"a":"${'x'.repeat(300_000)}"}`), 413, -32_000],
    ['another type', raw('{}', { 'content-type': 'text/plain' }), 415, -32_000],
    ['a form', raw('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415, -32_000],
  ]
  for (const [name, request, status, code] of bodies) {
    const answer = await call('enterprise', '/mcp', request)
    const { error, id } = answer.json()
    expect([answer.statusCode, error?.code], `${name}: ${answer.body}`).toEqual([status, code])
    expect(id, name).toBeNull()
    expect(answer.headers['content-type'], name).toMatch(/^application\/json/)
  }
})

test('answers notifications 202 without a body, ping with a result, an unknown tool -32602 and an unknown method -32601', async () => {
  const note = changed(legacy('notifications/initialized'), { body: { id: undefined } })
  expect(await ask(harness, note)).toMatchObject({ status: 202, message: undefined })
  for (const version of LEGACY) {
    expect((await ask(harness, legacy('ping', {}, version))).message).toMatchObject({ id: 1, result: {} })
    const unknown = await ask(harness, legacy('tools/call', { name: 'no_such_tool' }, version))
    expect([unknown.status, unknown.message!.error!.code], version).toEqual([200, -32_602])
    expect((await ask(harness, legacy('no/method', {}, version))).message!.error!.code, version).toBe(-32_601)
  }
  expect((await ask(harness, modern('tools/call', { name: 'no_such_tool' }))).message!.error!.code).toBe(-32_602)
  expect((await ask(harness, modern('no/method'))).message!.error!.code).toBe(-32_601)
})

test('a slow tool sends its progress and then its result as an event stream, in both families of protocol versions', async () => {
  const { answerLive } = harness.controls
  harness.controls.answerLive = (...request) =>
    new Promise((resolve) => setTimeout(() => resolve(answerLive(...request)), 1_100))
  const slow = { name: 'get_live_wait_time', arguments: { iata: 'JFK' }, _meta: { progressToken: 'mine' } }
  const answers = [legacy('tools/call', slow), modern('tools/call', slow)].map((rpc) =>
    harness.call('enterprise', '/mcp', post(rpc)),
  )
  for (const { headers, body } of await Promise.all(answers)) {
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    expect(headers['x-ratelimit-limit']).toBeDefined()
    const [progress, result] = messagesOf(body)
    expect(progress).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } })
    expect(result).toMatchObject({ id: 1, result: { structuredContent: { airport: 'JFK' } } })
  }
})

test('pages of this machine and of the listed origins may read; other origins are refused', async () => {
  const { call } = await openHarness({ HOLDSHORT_MCP_ORIGINS: 'https://agent.example' })
  const preflight = (origin: string) =>
    call(null, '/mcp', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
  for (const origin of ['https://agent.example', 'http://localhost:6274']) {
    const preflighted = await preflight(origin)
    expect(preflighted.statusCode).toBe(204)
    expect(preflighted.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
    expect(preflighted.headers['access-control-allow-headers']).toMatch(
      /Authorization.*MCP-Protocol-Version.*Mcp-Method/,
    )
    expect(preflighted.headers['access-control-allow-credentials']).toBeUndefined()
    const rpc = changed(modern('tools/list'), { headers: { origin } })
    for (const [tier, status] of [
      ['free', 200],
      [null, 401],
    ] as const) {
      const answer = await call(tier, '/mcp', post(rpc))
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, origin])
      expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
    }
  }
  for (const origin of ['https://evil.example', 'https://agent.example.evil.example', 'http://agent.example', 'null']) {
    const refused = [
      await preflight(origin),
      await call('free', '/mcp', post(changed(modern('tools/list'), { headers: { origin } }))),
    ]
    for (const { statusCode, headers } of refused)
      expect([statusCode, headers['access-control-allow-origin']], origin).toEqual([403, undefined])
  }
  const rebound = changed(legacy('tools/list'), { headers: { host: 'agent.example', origin: 'https://agent.example' } })
  expect((await call('free', '/mcp', post(rebound))).statusCode).toBe(403)
})
