import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { openHarness, shareHarness } from '../harness.ts'

const harness = shareHarness()
const { call } = harness

interface Reader extends Pick<InjectOptions, 'remoteAddress' | 'headers'> {
  who: string
}
/** Settings and, of readers under them, the answer that each gets. */
const CASES: [settings: Record<string, string>, readers: [status: number, Reader][]][] = JSON.parse(
  readFileSync(projectFile('test/api/metrics/metrics-access.json'), 'utf8'),
)

test.each(CASES)('with the settings %o, each reader gets its answer', async (settings, readers) => {
  const { call } = await openHarness(settings)
  for (const [expected, { who, ...reader }] of readers) {
    const answer = await call(null, '/metrics', reader)
    expect(answer.statusCode, who).toBe(expected)
    if (expected === 404) expect(answer.json().detail, who).toBe('there is nothing at /metrics')
  }
})

test('clients without access get 404 for every method', async () => {
  const stranger = { remoteAddress: '203.0.113.9' }
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const)
    expect((await call(null, '/metrics', { ...stranger, method })).json(), method).toMatchObject({ code: 'NOT_FOUND' })
  expect((await call(null, '/metrics', { ...stranger, method: 'HEAD' })).statusCode).toBe(404)
})

test('over a real socket, answers HTTP/1.1 from this machine, but not HTTP/1.0, which proxies use', async () => {
  await harness.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = harness.app.server.address() as { port: number }
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n'))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 404 /)
})
