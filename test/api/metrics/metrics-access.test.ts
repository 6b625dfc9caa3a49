import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { openHarness, shareHarness } from '../harness.ts'

const harness = shareHarness()
const { call } = harness

interface Reader extends Pick<InjectOptions, 'remoteAddress' | 'headers'> {
  who: string
}
const OPEN = { HOLDSHORT_METRICS_FROM: '10.2.0.0/16, 2001:db8::/32' }
const ALL = { HOLDSHORT_METRICS_FROM: '0.0.0.0/0,::/0' }
const trusting = (settings = {}) => ({ ...settings, HOLDSHORT_TRUSTED_PROXIES: '127.0.0.1' })
const forwarded = (address: string) => ({ 'x-forwarded-for': address })

/** Settings and, of readers under them, the answer that each gets. */
const CASES: [Record<string, string>, [number, Reader][]][] = [
  [
    {},
    [
      [200, { who: 'this machine' }],
      [200, { who: 'this machine, IPv6', remoteAddress: '::1', headers: { host: '[::1]:8080' } }],
      [200, { who: 'this machine, IPv4 on an IPv6 socket', remoteAddress: '::ffff:127.0.0.1' }],
      [404, { who: 'a neighbour', remoteAddress: '192.168.1.7' }],
      [404, { who: 'a neighbour, IPv6', remoteAddress: 'fe80::1%eth0' }],
      [404, { who: 'a proxy on this machine, for a stranger', headers: forwarded('203.0.113.9') }],
      [404, { who: 'a proxy on this machine, for a stranger with a forged header', headers: forwarded('127.0.0.1') }],
      [404, { who: 'a proxy that forwards the scheme only', headers: { 'x-forwarded-proto': 'https' } }],
      [404, { who: 'a proxy with Forwarded', headers: { forwarded: 'for=203.0.113.9' } }],
      [404, { who: 'a proxy with Via', headers: { via: '1.1 proxy' } }],
      [404, { who: 'a proxy without headers that keeps the Host', headers: { host: 'waits.example.org' } }],
    ],
  ],
  [trusting(), [[404, { who: 'a trusted proxy on this machine', headers: forwarded('127.0.0.1') }]]],
  [
    OPEN,
    [
      [200, { who: 'a named network', remoteAddress: '10.2.3.4', headers: { host: 'holdshort.internal' } }],
      [200, { who: 'a named network, IPv6', remoteAddress: '2001:db8::7' }],
      [404, { who: 'this machine, when others are named', remoteAddress: '127.0.0.1' }],
      [404, { who: 'another network', remoteAddress: '10.3.0.1' }],
      [
        404,
        { who: 'an unknown proxy inside a named network', remoteAddress: '10.2.0.1', headers: forwarded('8.8.8.8') },
      ],
    ],
  ],
  [
    trusting(OPEN),
    [
      [200, { who: 'a named network behind a trusted proxy', headers: forwarded('10.2.3.4') }],
      [
        404,
        { who: 'a stranger behind a trusted proxy with a forged header', headers: forwarded('10.2.3.4, 203.0.113.9') },
      ],
    ],
  ],
  [
    ALL,
    [
      [200, { who: 'anyone, when all are named', remoteAddress: '203.0.113.9' }],
      [200, { who: 'anyone, IPv6', remoteAddress: '2a00::1' }],
    ],
  ],
]

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
