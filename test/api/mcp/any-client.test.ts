import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDeeperThan } from '../../../api/rest/json-body.ts'
import { projectFile } from '../../../config/paths.ts'
import { mcp, openConnected, openOauth } from '../../accounts/oauth/flow.ts'
import { repetitions } from '../../exhaustive.ts'
import { expectBilled, type Harness, shareHarness } from '../harness.ts'
import { changed, LEGACY, legacy, messagesOf, modern, post, type Rpc } from './requests.ts'

const harness = shareHarness()
const { call } = harness

const overview = { name: 'get_airport_overview', arguments: { iata: 'JFK' } }
const slow = { name: 'get_live_wait_time', arguments: { iata: 'JFK' } }

const ask = async ({ call }: Harness, rpc: Rpc) => {
  const answer = await call('enterprise', '/mcp', post(rpc))
  return { answer, message: answer.body === '' ? undefined : messagesOf(answer.body)[0] }
}

describe('Accept', () => {
  const requests: [string, Rpc][] = [
    ['a list', legacy('tools/list')],
    ['a call', legacy('tools/call', overview)],
    ['a call that the SDK answers', legacy('tools/call', slow)],
    ['ping', legacy('ping')],
    ['a list of 2026-07-28', modern('tools/list')],
    ['a call of 2026-07-28', modern('tools/call', overview)],
  ]

  test('every Accept that allows one of the two types is answered with a type that it allows', async () => {
    for (const [accept, type] of [
      ['*/*', /^(application\/json|text\/event-stream)/],
      [undefined, /^(application\/json|text\/event-stream)/],
      ['application/*', /^application\/json/],
      ['application/json', /^application\/json/],
      ['application/json, text/plain, */*', /^(application\/json|text\/event-stream)/],
      ['text/event-stream;q=0, */*', /^application\/json/],
    ] as const)
      for (const [name, rpc] of requests) {
        const { answer, message } = await ask(harness, changed(rpc, { headers: { accept } }))
        expect([answer.statusCode, message?.error], `${accept} ${name}: ${answer.body}`).toEqual([200, undefined])
        expect(message!.result, name).toBeDefined()
        expect(answer.headers['content-type'], `${accept} ${name}`).toMatch(type)
      }
  })

  test('a client that reads event streams only gets one, and a client that reads neither gets 406 in plain words', async () => {
    const stream = await ask(harness, changed(legacy('tools/list'), { headers: { accept: 'text/event-stream' } }))
    expect(stream.answer.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(stream.message!.result!.tools).toHaveLength(22)
    for (const accept of ['image/png', 'text/html', 'application/json;q=0']) {
      const { answer } = await ask(harness, changed(legacy('tools/call', overview), { headers: { accept } }))
      expect([answer.statusCode, answer.json().error.message], accept).toEqual([
        406,
        'Not Acceptable: this address answers application/json or text/event-stream',
      ])
    }
    expect((await harness.call('enterprise', '/api/agent/me')).json().usage.calls).toBe(0)
  })
})

interface Known {
  /** Parameters of a method, null for none, and what the error says. */
  wrong_parameters: [method: string, params: object | null, words: string][]
  /** Arguments of a tool as clients send them, and as they are meant. */
  meant_arguments: [tool: string, sent: object, meant: object][]
}
const KNOWN: Known = JSON.parse(readFileSync(projectFile('test/api/mcp/wrong-and-meant.json'), 'utf8'))

test('wrong parameters of a method are answered -32602 in plain words', async () => {
  for (const [method, params, words] of KNOWN.wrong_parameters) {
    const { message } = await ask(harness, changed(legacy(method), { body: { params: params ?? undefined } }))
    expect(message!.error!.code).toBe(-32_602)
    expect(message!.error!.message).toContain(`Invalid params: ${words}`)
    expect(message!.error!.message).not.toMatch(/[{}[\]"\n]|expected|received/)
  }
})

describe('null members of params', () => {
  const WITHOUT: [string, (params: object) => Rpc][] = [
    ['legacy', (params) => legacy('tools/call', { name: 'get_faa_delays', ...params })],
    ['modern', (params) => modern('tools/call', { name: 'get_faa_delays', ...params })],
    ['answered by the SDK', (params) => changed(legacy('tools/call'), { body: { params: { ...slow, ...params } } })],
    ['list', (params) => legacy('tools/list', { ...params })],
  ]

  test.each(WITHOUT)('are none, and so are params that are null: %s', async (_name, rpc) => {
    const { message } = await ask(harness, rpc({ arguments: null, cursor: null }))
    expect(message!.error).toBeUndefined()
    const { message: without } = await ask(harness, rpc({ arguments: undefined }))
    expect([message!.result!.content, message!.result!.tools]).toEqual([
      without!.result!.content,
      without!.result!.tools,
    ])
  })

  test('in prompts and whole params', async () => {
    for (const method of ['prompts/list', 'tools/list']) {
      const { message } = await ask(harness, changed(legacy(method), { body: { params: null } }))
      expect(message!.error).toBeUndefined()
    }
  })
})

test('the address with a slash at its end answers like the one without', async () => {
  const authorization = `Bearer ${harness.keys.enterprise.key}`
  for (const rpc of [legacy('tools/list'), modern('tools/call', overview), legacy('initialize', {})]) {
    const request = changed(rpc, { headers: { authorization } })
    const [with_, without] = await Promise.all(
      ['/mcp/', '/mcp'].map((url) => harness.app.inject({ ...post(request), url })),
    )
    expect([with_!.statusCode, with_!.body]).toEqual([without!.statusCode, without!.body])
  }
  for (const method of ['GET', 'DELETE', 'OPTIONS'] as const) {
    const [with_, without] = await Promise.all(
      ['/mcp/', '/mcp'].map((url) => harness.app.inject({ method, url, headers: { origin: 'https://a.example' } })),
    )
    expect([method, with_!.statusCode]).toEqual([method, without!.statusCode])
  }
  const refused = await harness.app.inject({ ...post(legacy('tools/list')), url: '/mcp/' })
  expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, expect.stringContaining('/mcp"')])
  const metadata = '/.well-known/oauth-protected-resource/mcp'
  const [slash, plain] = await Promise.all([`${metadata}/?v=1`, metadata].map((url) => harness.app.inject(url)))
  expect(slash!.json()).toEqual(plain!.json())
  expect((await harness.app.inject('/mcp//')).statusCode).toBe(404)
})

describe('arguments of a tool', () => {
  const toolResult = async (harness: Harness, name: string, input: object) => {
    const { message } = await ask(harness, legacy('tools/call', { name, arguments: input }))
    return message!.result!
  }

  test('a programme of US customs is read as the lane of PreCheck, and said to be', async () => {
    const planOf = (lane: string) => ({ iata: 'JFK', departure: '2026-11-22T17:30', lane })
    const textOf = async (lane: string) =>
      JSON.stringify(await toolResult(harness, 'get_best_time_to_fly', planOf(lane)))
    expect(await textOf('Global Entry')).toContain('Global Entry is read as the PreCheck lane of security')
    expect(await textOf('Global Entry')).toContain('&lane=precheck')
    expect(await textOf('precheck')).not.toContain('Global Entry')
  })

  test('a number for a text, a text for a number or a list, and null for an optional argument are understood', async () => {
    for (const [name, sent, meant] of KNOWN.meant_arguments)
      expect(await toolResult(harness, name, sent), JSON.stringify(sent)).toEqual(
        await toolResult(harness, name, meant),
      )
    const report = { iata: 'JFK', queue: 'security', wait_minutes: '25', terminal: 4 }
    expect((await toolResult(harness, 'submit_wait_time_report', report)).isError).toBeUndefined()
  })
})

test('a batch is refused in every version, before any of its messages is answered', async () => {
  for (const version of [null, ...LEGACY]) {
    const { headers, body } = legacy('tools/call', overview, version)
    const answer = await call('enterprise', '/mcp', { method: 'POST', headers, payload: JSON.stringify([body, body]) })
    expect([answer.statusCode, answer.json().error], String(version)).toEqual([
      400,
      { code: -32_600, message: expect.stringContaining('must be one JSON-RPC message') },
    ])
  }
  await expectBilled(harness, 'enterprise', {})
})

test('simulated figures are marked in structured content and text', async () => {
  harness.controls.snapshot = { ...harness.controls.snapshot!, simulated: true }
  const { message } = await ask(harness, legacy('tools/call', overview))
  expect(message!.result).toMatchObject({ structuredContent: { simulated: true } })
  expect(message!.result!.content![0]!.text).toMatch(/^SIMULATED WORLD/)
})

test('an access token is taken from Authorization only, a key from either header', async () => {
  const harness = await openOauth()
  const { client } = await openConnected(harness)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  const by = (headers: Record<string, string>) =>
    harness.app.inject({
      ...post(legacy('tools/list')),
      url: '/mcp',
      headers: { ...legacy('ping').headers, ...headers },
    })
  const misplaced = await by({ 'x-api-key': client.access_token })
  expect([misplaced.statusCode, misplaced.json().detail]).toEqual([
    401,
    'an access token belongs into Authorization: Bearer <token>; X-API-Key takes API keys',
  ])
  expect(misplaced.headers['www-authenticate']).toContain('resource_metadata=')
  expect((await by({ 'x-api-key': harness.keys.free.key })).statusCode).toBe(200)
})

test('bodies nested thousands of levels deep are 400 wherever a body is taken', async () => {
  const { app, keys } = harness
  const headers = { authorization: `Bearer ${keys.enterprise.key}`, 'content-type': 'application/json' }
  for (const depth of [65, 5_000, 60_000])
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":[', ']}]'],
    ] as const) {
      const value = `${open.repeat(depth)}1${close.repeat(depth)}`
      const bodies = {
        '/mcp': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_faa_delays","arguments":${value}}}`,
        '/api/v1/airports/bulk': `{"codes":${value}}`,
        '/api/agent/register': `{"agent_name":${value}}`,
        '/register': `{"redirect_uris":${value}}`,
      }
      for (const [url, payload] of Object.entries(bodies)) {
        const { statusCode } = await app.inject({ method: 'POST', url, headers, payload })
        expect([400, 413], `${url} ${open} ${depth}: ${statusCode}`).toContain(statusCode)
      }
    }
})

test('a compressed body is refused by the name of its header wherever a body is taken', async () => {
  const { app, keys } = harness
  const headers = {
    authorization: `Bearer ${keys.enterprise.key}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  }
  for (const url of ['/mcp', '/api/v1/airports/bulk', '/api/agent/register']) {
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload: gzipSync('{}') })
    expect([statusCode, body], url).toEqual([400, expect.stringContaining('Content-Encoding')])
  }
})

test('the depth of a JSON text is that of its lists and objects, whatever its strings contain', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 0, max: 9 }), (text, limit) => {
      expect(isDeeperThan(limit, text)).toBe(depthOf(JSON.parse(text)) > limit)
    }),
    { numRuns: repetitions(200, 5_000) },
  )
  expect(isDeeperThan(1, '["[\\"[[", "\\\\", [1]]')).toBe(true)
  expect(isDeeperThan(1, '["[\\"[[", "\\\\"]')).toBe(false)
})
