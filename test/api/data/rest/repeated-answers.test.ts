import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { revokeKey } from '../../../../api/accounts/keys/keys.ts'
import { MINUTE_MS } from '../../../../config/domain.ts'
import { seededRandom } from '../../../../forecasting/statistics/seeded-random.ts'
import { repetitions } from '../../../exhaustive.ts'
import { snapshotAt } from '../../example-snapshot.ts'
import { type Harness, openHarness } from '../../harness.ts'

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
}

interface Received {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** Made for each answer, or by the connection. */
const OF_EACH = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding'])
const METRICS = { HOLDSHORT_METRICS_FROM: '127.0.0.0/8' }

function received(status: number, headers: Record<string, unknown>, bytes: Buffer): Received {
  const kept = Object.entries(headers).filter(([name]) => !OF_EACH.has(name))
  const body = bytes.toString('latin1').replace(/"request_id":"[^"]*"/, '')
  return { status, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), body }
}

/** Sends requests over real connections, which answers sent again need; `inject` of Fastify passes all hooks. */
async function openClient({ app }: Harness) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return ({ url, method, headers }: Sent): Promise<Received> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: url, method, headers, agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(received(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks))))
      })
      sent.on('error', reject).end()
    })
}

const injected = async ({ app }: Harness, { url, method, headers }: Sent): Promise<Received> => {
  const answer = await app.inject({ url, method: method as 'GET', headers: Object.assign({ host: 'a' }, headers) })
  return received(answer.statusCode, answer.headers, answer.rawPayload)
}

async function repeatedOf({ app }: Harness): Promise<number> {
  const { body } = await app.inject({ url: '/metrics' })
  return Number(/^holdshort_http_repeated_answers_total (\d+)$/m.exec(body)?.[1])
}

/** Billed calls by tier, day and operation. */
async function usageOf({ app, state }: Harness) {
  // Closing writes what is counted.
  await app.close()
  return state.db
    .selectFrom('usage')
    .innerJoin('accounts', 'accounts.id', 'usage.account_id')
    .select(['accounts.tier', 'usage.day', 'usage.endpoint', 'usage.calls'])
    .orderBy('accounts.tier')
    .orderBy('usage.day')
    .orderBy('usage.endpoint')
    .execute()
}

const JFK = '/api/v1/airports/JFK'
const URLS = [
  `${JFK}/wait-times`,
  `${JFK}/wait-times`,
  `${JFK}/wait-times?terminal=T4`,
  `${JFK}/predictions`,
  `${JFK}/delays`,
  `${JFK}/wait-times?unknown=1`,
  '/api/v1/airports?q=london',
  '/api/v1/airports/XXX/wait-times',
]
const NONE: Record<string, string> = {}
/** Most requests have none. */
const EXTRAS = new Array<Record<string, string>>(12)
  .fill(NONE)
  .concat([
    { 'user-agent': 'a', 'x-forwarded-for': '192.0.2.1' },
    { accept: 'text/csv' },
    { 'accept-encoding': 'gzip, br' },
    { 'accept-encoding': 'gzip' },
    { origin: 'https://example.com' },
    { 'if-none-match': '*' },
    { 'x-request-id': 'mine' },
    { expect: '100-continue' },
    { 'x-other': '1' },
  ])

const EVENTS = new Array<string>(96).fill('request').concat(['clock', 'long clock', 'snapshot', 'revoke'])

test('an answer sent again is the one that passes all hooks: header by header, in limits, in usage and in what is refused', async () => {
  for (let seed = 1; seed <= repetitions(1, 8); seed += 1) {
    const random = seededRandom(seed)
    const draw = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!
    const [real, twin] = [await openHarness(METRICS), await openHarness(METRICS)]
    const send = await openClient(real)
    const revoked = new Set<string>()
    for (let step = 0; step < 250; step += 1) {
      const event = draw(EVENTS)
      if (event === 'revoke' && step > 150) {
        const tier = draw(['pro', 'enterprise'] as const)
        if (revoked.has(tier)) continue
        revoked.add(tier)
        for (const { state, keys, controls } of [real, twin]) await revokeKey(state, keys[tier].key_id, controls.now)
      }
      const minutes = { clock: draw([0.1, 0.5, 1.5]), 'long clock': 16 }[event] ?? 0
      for (const { controls } of [real, twin]) {
        controls.now += minutes * MINUTE_MS
        if (event === 'snapshot') controls.snapshot = snapshotAt(controls.now)
      }
      const url = draw(URLS)
      const method = draw(['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST'])
      const extra = draw(EXTRAS)
      const tier = draw(['free', 'pro', 'pro', 'enterprise', 'enterprise', 'enterprise', 'none', 'wrong'] as const)
      const inHeader = draw(['authorization', 'authorization', 'x-api-key'])
      const sentTo = ({ keys }: Harness): Sent => {
        const key = tier === 'none' ? null : tier === 'wrong' ? 'hs_free_wrong' : keys[tier].key
        const credential = key !== null && { [inHeader]: inHeader === 'x-api-key' ? key : `Bearer ${key}` }
        return { url, method, headers: Object.assign({}, extra, credential) }
      }
      const answer = await send(sentTo(real))
      expect(answer, `seed ${seed}, step ${step}: ${method} ${url} ${tier} ${JSON.stringify(extra)}`).toEqual(
        await injected(twin, sentTo(twin)),
      )
    }
    expect(await repeatedOf(real)).toBeGreaterThan(4)
    expect(await repeatedOf(twin)).toBe(0)
    const usage = await usageOf(real)
    expect(usage.length).toBeGreaterThan(5)
    expect(usage).toEqual(await usageOf(twin))
  }
}, 120_000)

test('nothing is sent again while every answer must pass the hooks', async () => {
  let isDraining = false
  const harness = await openHarness(METRICS, { isDraining: () => isDraining })
  const send = await openClient(harness)
  const headers = { authorization: `Bearer ${harness.keys.enterprise.key}` }
  for (let call = 0; call < 4; call += 1) await send({ url: URLS[0]!, method: 'GET', headers })
  const before = await repeatedOf(harness)
  expect(before).toBeGreaterThan(0)
  isDraining = true
  for (let call = 0; call < 4; call += 1) await send({ url: URLS[0]!, method: 'GET', headers })
  expect(await repeatedOf(harness)).toBe(before)
})
