import { expect, test } from 'vitest'
import { shareHarness } from './harness.ts'

const harness = shareHarness()
const { call } = harness

/** Cases that the fuzzer (test/api/fuzz) has found. */

test('a parameter of the path or the body is refused in the query string', async () => {
  const named = async (...request: Parameters<typeof call>) => {
    const answer = await call(...request)
    return answer.statusCode === 400 && answer.json().errors.map(({ parameter }: { parameter: string }) => parameter)
  }
  expect(await named('pro', '/api/v1/airports/JFK/wait-times?iata=LGA')).toEqual(['?iata'])
  const bulk = { method: 'POST', payload: { codes: ['JFK'] } } as const
  expect(await named('enterprise', '/api/v1/airports/bulk?codes=DEL&codes=GRU', bulk)).toEqual(['?codes'])
  expect(await named(null, '/api/agent/register?agent_name=a', { method: 'POST' })).toEqual(['agent_name'])
  expect(await named('free', '/api/agent/me?verbose=1')).toEqual(['verbose'])
  expect(await named('free', '/api/keys/key_1?force=1', { method: 'DELETE' })).toEqual(['force'])
  expect((await call('free', '/api/v1/airports/JFK/wait-times?iata=LGA')).statusCode, 'tier first').toBe(403)
})

test('answers unknown methods 405 with Allow at a known address and 404 at another', async () => {
  expect((await call(null, '/api/v1/airports/bulk', { method: 'PUT' })).headers.allow).toBe('POST, OPTIONS')
  expect((await call(null, '/health', { method: 'OPTIONS' })).statusCode).toBe(405)
  for (const method of ['PROPFIND', 'QUERY', 'PUT', 'DELETE', 'TRACE'] as string[] as 'GET'[]) {
    const known = await call('free', '/api/v1/airports/JFK/delays', { method })
    expect([known.statusCode, known.headers.allow], method).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await call('free', '/nowhere', { method })).statusCode, method).toBe(404)
    expect((await call('free', '/openapiXjson', { method })).statusCode, method).toBe(404)
  }
})

test('answers a method that open data does not have 405 with Allow', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const)
    for (const path of ['/data/manifest.json', '/data/no/such/file.csv', '/data/']) {
      const answer = await harness.app.inject({ method, url: path })
      expect([answer.statusCode, answer.json().code], `${method} ${path}`).toEqual([405, 'METHOD_NOT_ALLOWED'])
      expect(answer.headers.allow, `${method} ${path}`).toBe('GET, HEAD, OPTIONS')
    }
  expect((await harness.app.inject('/data/no/such/file.csv')).statusCode).toBe(404)
  expect((await harness.app.inject({ method: 'POST', url: '/database' })).statusCode).toBe(404)
  expect((await harness.app.inject({ method: 'POST', url: '/api/v1/nothing' })).statusCode).toBe(404)
})

test('a 304 to HEAD does not send Content-Length: 0', async () => {
  const headers = { 'if-none-match': '*' }
  const head = await call('free', '/api/v1/airports', { method: 'HEAD', headers })
  expect([head.statusCode, head.headers['content-length']]).toEqual([304, undefined])
})

test('documents headers only where they are sent: no ETag for accounts, no rate limit headers before the gate', async () => {
  const { paths } = (await call(null, '/openapi.json')).json()
  const headersOf = (status: number) => Object.keys(paths['/api/agent/me'].get.responses[status].headers)
  expect(headersOf(200)).toContain('RateLimit')
  expect(headersOf(200)).not.toContain('ETag')
  expect(headersOf(405)).not.toContain('RateLimit')
})
