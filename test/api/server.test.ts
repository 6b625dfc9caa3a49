import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../accounts/keys/keys.ts'
import { usageByEndpoint } from '../../api/gate/usage.ts'
import { openState } from '../../api/state/open.ts'
import { openLog } from '../../bin/runtime/log.ts'
import { prepareAfterStart, startServer } from '../../bin/service/server.ts'
import { readSettings } from '../../config/settings.ts'
import type { Tier } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'
import { temporaryFolder } from './harness.ts'

/** A service on a free port over a state of its own, with a key of a tier. */
async function serve(tier: Tier, holder: { current: () => Snapshot }, environment: Record<string, string> = {}) {
  const folder = temporaryFolder()
  const settings = readSettings({ HOLDSHORT_DATA_DIR: folder, HOLDSHORT_PORT: '0', ...environment })
  const state = await openState(settings)
  const { key, account_id } = await issueKey(state, { tier }, NOW)
  const server = await startServer({ settings, state, directory: DIRECTORY, holder, clock: () => NOW })
  onTestFinished(async () => {
    await server.stop()
    await state.close()
  })
  return { server, state, key, account_id }
}

test('stops in time although a client keeps its connection open, and writes the usage in memory', async () => {
  const snapshot = snapshotAt()
  const { server, state, key, account_id } = await serve('free', { current: () => snapshot })
  const answer = await fetch(`${server.address}/api/v1/airports/JFK/delays`, { headers: { 'x-api-key': key } })
  expect(answer.status).toBe(200)
  // An incomplete request that is never finished.
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
  await new Promise((resolve) =>
    socket.write('POST /api/agent/register HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', resolve),
  )
  socket.on('error', () => undefined)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const began = performance.now()
  await Promise.all([server.stop(), server.stop()])
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(await usageByEndpoint(state.db, account_id, '2026-11')).toEqual([{ endpoint: 'getDelays', calls: 1 }])
  await expect(fetch(`${server.address}/health`)).rejects.toThrow()
})

test('what takes long is made after the start, and a failure there stops nothing', async () => {
  const logger = openLog(readSettings({ HOLDSHORT_LOG_LEVEL: 'silent' }), 'test')
  const errors = vi.spyOn(logger, 'error')
  const made: string[] = []
  const fail = () => {
    throw new Error('no manual')
  }
  const preparing = prepareAfterStart([fail, () => made.push('map')], { directory: DIRECTORY, logger })
  expect(made).toEqual([])
  await preparing
  expect(made).toEqual(['map'])
  expect(errors).toHaveBeenCalledExactlyOnceWith({ error: 'no manual' }, expect.any(String))
})

const HAS_IPV6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))

test.runIf(HAS_IPV6)('serves REST, pages and MCP on a machine that has IPv6 alone', async () => {
  const snapshot = snapshotAt()
  const { server, key } = await serve('pro', { current: () => snapshot }, { HOLDSHORT_HOST: '::1' })
  expect(server.address).toMatch(/^http:\/\/\[::1\]:\d+$/)
  const statusOf = async (path: string, options: RequestInit = {}) =>
    (await fetch(server.address + path, { headers: { 'x-api-key': key }, ...options })).status
  expect(await statusOf('/')).toBe(200)
  expect(await statusOf('/api/v1/airports/JFK/wait-times')).toBe(200)
  expect(await statusOf('/.well-known/oauth-authorization-server')).toBe(200)
  expect(await statusOf('/api/agent/register', { method: 'POST', headers: {} })).toBe(201)
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(await statusOf('/mcp', { method: 'POST', headers, body })).toBe(200)
})

test('an answer uses one snapshot, although the newest one changes at every read', async () => {
  const a = snapshotAt(NOW, { id: 'a' })
  const b = snapshotAt(NOW + 60_000, { id: 'b', simulated: true })
  let looks = 0
  const { server, key } = await serve('enterprise', { current: () => (looks++ % 2 === 0 ? a : b) })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ codes: ['JFK', 'LGA', 'DEL', 'GRU'] })
  const requests = [
    ['/api/v1/airports/bulk', { method: 'POST', headers, body }],
    ['/api/v1/airports/JFK/delays', { headers }],
    ['/api/v1/airports/JFK/delays', { headers }],
  ] as const
  const met = new Set<string>()
  for (let round = 0; round < 6; round++) {
    for (const [path, options] of requests) {
      const answer = await fetch(server.address + path, options)
      const text = await answer.text()
      const expected = answer.headers.get('etag')!.includes('"a.') ? a : b
      met.add(`${path} ${expected.id}`)
      expect(new Set(text.match(/"timestamp":"[^"]+"/g))).toEqual(new Set([`"timestamp":"${expected.generated_at}"`]))
      expect(new Set(text.match(/"simulated":\w+/g))).toEqual(new Set([`"simulated":${expected.simulated}`]))
    }
  }
  expect(met.size).toBe(4)
})
