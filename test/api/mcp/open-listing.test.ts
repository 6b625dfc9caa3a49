import { expect, test } from 'vitest'
import { type Harness, openHarness, shareHarness } from '../harness.ts'
import { changed, legacy, messagesOf, modern, post, type Rpc } from './requests.ts'

const harness = shareHarness()

const OPEN = { HOLDSHORT_MCP_OPEN_LISTING: 'true' }
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a directory', version: '1' } }
const plan = { airport: 'JFK', departure: '2026-11-22T18:00' }
const LISTING: [string, Rpc][] = [
  ['initialize', legacy('initialize', hello)],
  ['initialized', changed(legacy('notifications/initialized'), { body: { id: undefined } })],
  ['ping', legacy('ping')],
  ['tools', legacy('tools/list')],
  ['tools of 2026-07-28', modern('tools/list')],
  ['discover', modern('server/discover')],
  ['prompts', legacy('prompts/list')],
  ['a prompt', legacy('prompts/get', { name: 'plan_departure', arguments: plan })],
  ['resources', legacy('resources/list')],
  ['templates', legacy('resources/templates/list')],
  ['a resource', legacy('resources/read', { uri: 'holdshort://sources' })],
]
const call = (name: string) => legacy('tools/call', { name, arguments: {} })
const CLOSED: [string, Rpc][] = [
  ['a free call', call('get_faa_delays')],
  ['a paid call', call('get_wait_time_predictions')],
  ['a call of no tool', call('no_such_tool')],
  ['a call of 2026-07-28', modern('tools/call', { name: 'get_faa_delays', arguments: {} })],
  ['another method', legacy('logging/setLevel', { level: 'info' })],
  ['no method', changed(legacy('ping'), { body: { method: undefined, result: {} } })],
  ['method in another case', legacy('TOOLS/CALL', { name: 'get_faa_delays' })],
]

const ask = (harness: Harness, rpc: Rpc) => harness.call(null, '/mcp', post(rpc))
const challenge = expect.stringMatching(/resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/)

test('by default nothing is answered without a credential', async () => {
  for (const [name, rpc] of [...LISTING, ...CLOSED]) {
    const { statusCode, headers } = await ask(harness, rpc)
    expect([statusCode, headers['www-authenticate']], name).toEqual([401, challenge])
  }
})

test('with the setting a directory lists the server without a key, and each call still begins OAuth', async () => {
  const harness = await openHarness(OPEN)
  for (const [name, rpc] of LISTING) {
    const open = await ask(harness, rpc)
    const keyed = await harness.call('free', '/mcp', post(rpc))
    expect([open.statusCode, open.body], name).toEqual([keyed.statusCode, keyed.body])
    if (open.body !== '') expect(messagesOf(open.body)[0]!.result, name).toBeDefined()
    expect(open.headers['x-ratelimit-limit'], name).toBeUndefined()
  }
  for (const [name, rpc] of CLOSED) {
    const { statusCode, headers } = await ask(harness, rpc)
    expect([statusCode, headers['www-authenticate']], name).toEqual([401, challenge])
  }
  expect((await harness.call('free', '/api/agent/me')).json().usage.calls).toBe(0)
})

test('a wrong credential is 401 with the setting too', async () => {
  const harness = await openHarness(OPEN)
  const list = legacy('tools/list')
  for (const headers of [
    { authorization: 'Bearer hs_agent_nobody' },
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer' },
    { 'x-api-key': 'hs_live_nobody' },
  ])
    expect((await ask(harness, changed(list, { headers }))).statusCode, JSON.stringify(headers)).toBe(401)
})

test('requests without a credential are limited by address; requests with a key are not affected', async () => {
  const harness = await openHarness(OPEN)
  const from = (remoteAddress: string) => harness.call(null, '/mcp', { ...post(legacy('ping')), remoteAddress })
  for (let count = 0; count < 60; count++) expect((await from('192.0.2.1')).statusCode).toBe(200)
  const refused = await from('192.0.2.1')
  expect([refused.statusCode, refused.json().error.data.scope, refused.headers['retry-after']]).toEqual([
    429,
    'address',
    '60',
  ])
  expect(refused.headers).toMatchObject({ ratelimit: '"address";r=0;t=60', 'x-ratelimit-remaining': '0' })
  expect((await from('192.0.2.2')).statusCode).toBe(200)
  const keyed = { ...post(legacy('ping')), remoteAddress: '192.0.2.1' }
  expect((await harness.call('free', '/mcp', keyed)).statusCode).toBe(200)
  harness.controls.now += 60_000
  expect((await from('192.0.2.1')).statusCode).toBe(200)
})
