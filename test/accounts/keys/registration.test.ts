import { describe, expect, onTestFinished, test } from 'vitest'
import { registerAgent } from '../../../accounts/keys/registration.ts'
import { openState } from '../../../api/state/open.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { type Harness, openHarness, temporaryFolder } from '../../api/harness.ts'

const register = (payload?: object, remoteAddress = '192.0.2.1', headers = {}) =>
  ({ method: 'POST', ...(payload && { payload }), remoteAddress, headers }) as const
const URL = '/api/agent/register'

describe('registering', () => {
  test('creates an isolated account with a free key that works immediately', async () => {
    const { app, call } = await openHarness()
    const answer = await call(null, URL, register({ agent_name: 'Crawler', contact_email: 'ops@example.com' }))
    expect(answer.statusCode).toBe(201)
    const { agent_id, api_key } = answer.json()
    expect(answer.json()).toEqual({ success: true, agent_id, api_key, tier: 'free' })
    expect(answer.headers['cache-control']).toBe('no-store')
    const me = await app.inject({ url: '/api/agent/me', headers: { 'x-api-key': api_key } })
    expect(me.json()).toMatchObject({
      account: { id: agent_id, name: 'Crawler' },
      key: { prefix: 'hs_agent_', last_four: api_key.slice(-4) },
      tier: 'free',
      limits: { requests_per_minute: 30, calls_per_month: 1_000 },
    })
  })

  test.each([
    [' Ops@Münster.example ', 'ops@xn--mnster-3ya.example'],
    ["o'neil+jfk@example.ie", "o'neil+jfk@example.ie"],
  ])('takes the address %j as people may type it', async (contact_email, stored) => {
    const { call, state } = await openHarness()
    expect((await call(null, URL, register({ contact_email }))).statusCode).toBe(201)
    const rows = await state.db.selectFrom('accounts').select('contact_email').execute()
    expect(rows.map((row) => row.contact_email)).toContain(stored)
  })

  test('needs no body and refuses unknown or invalid fields', async () => {
    const { call } = await openHarness()
    expect((await call(null, URL, register())).statusCode).toBe(201)
    const empty = { 'content-type': 'application/json' }
    expect((await call(null, URL, register(undefined, '192.0.2.9', empty))).statusCode).toBe(201)
    const wrong = await call(null, URL, register({ agent_name: 'x'.repeat(101), contact_email: 'nobody', tier: 'pro' }))
    expect(wrong.statusCode).toBe(400)
    const named = wrong.json().errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(named.sort()).toEqual(['agent_name', 'contact_email', 'tier'])
    for (const payload of ['[]', 'null', 'false', '0', '""'])
      expect((await call(null, URL, { ...register(), payload, headers: empty })).json(), payload).toMatchObject({
        code: 'INVALID_PARAMETER',
        errors: [{ parameter: 'body', message: expect.stringContaining('must be an object') }],
      })
  })
})

const unwritable = () => {
  throw new Error('this cannot be written')
}

describe('concurrent registrations', () => {
  const caps = { registrations_per_minute: 5, registrations_per_day: 20 }
  const state = async () => {
    const opened = await openState({ data_dir: temporaryFolder() })
    onTestFinished(() => opened.close())
    return opened
  }

  test('decides each by itself in the order of arrival, and stores all that were acknowledged', async () => {
    const { db, ...rest } = await state()
    const from = (network: number) => registerAgent({ db, ...rest }, caps, { address: `198.51.100.${network}` }, NOW)
    const tries = Array.from({ length: 240 }, (_, i) => from(i % 30))
    const settled = await Promise.allSettled(tries)
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(settled.map((_, i) => i < 150))
    const acknowledged = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.account_id] : []))
    const rows = await db.selectFrom('accounts').select('id').execute()
    expect(rows.map(({ id }) => id).sort()).toEqual(acknowledged.sort())
    expect(await db.selectFrom('registrations').select('id').execute()).toHaveLength(150)
  })

  test('a registration that cannot be written fails alone', async () => {
    const opened = await state()
    const broken = { toPostgres: () => unwritable() } as unknown as string
    const names = ['a', broken, 'b']
    const tries = names.map((agent_name, i) =>
      registerAgent(opened, caps, { agent_name, address: `198.51.100.${i}` }, NOW),
    )
    const settled = await Promise.allSettled(tries)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const rows = await opened.db.selectFrom('accounts').select('name').orderBy('name').execute()
    expect(rows).toEqual([{ name: 'a' }, { name: 'b' }])
  })

  test('deletes registrations that are older than the windows of the limits', async () => {
    const opened = await state()
    await registerAgent(opened, caps, { address: '198.51.100.1' }, NOW - 3 * 86_400_000)
    await registerAgent(opened, caps, { address: '198.51.100.2' }, NOW)
    expect(await opened.db.selectFrom('registrations').select('id').execute()).toHaveLength(1)
  })
})

describe('registration limits', () => {
  test('allow exactly 5 a minute from one address, also concurrently; another address is not affected', async () => {
    const { call } = await openHarness()
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(null, URL, register({}))))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5)
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(refused.json()).toMatchObject({
      error: 'rate_limited',
      scope: 'registration_minute',
      retry_after_seconds: 60,
    })
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      ratelimit: '"registration_minute";r=0;t=60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '60',
    })
    expect((await call(null, URL, register({}, '192.0.2.2'))).statusCode).toBe(201)
  })

  test('the limit per day slides, comes from the settings and survives a restart', async () => {
    const data_dir = temporaryFolder()
    const caps = { registrations_per_minute: 5, registrations_per_day: 3 }
    const source = { address: '198.51.100.7' }
    const first = await openState({ data_dir })
    for (let i = 0; i < 3; i++) await registerAgent(first, caps, source, NOW + i * 1_000)
    await first.close()
    const second = await openState({ data_dir })
    onTestFinished(() => second.close())
    const refused = registerAgent(second, caps, source, NOW + 3_600_000)
    await expect(refused).rejects.toMatchObject({ scope: 'registration_day', retryAfterSeconds: 23 * 3_600 })
    expect((await registerAgent(second, caps, source, NOW + 86_400_000)).tier).toBe('free')
    await expect(registerAgent(second, caps, source, NOW + 86_400_000)).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await second.db.selectFrom('accounts').select('id').execute()).toHaveLength(4)
  })

  test('store the address only as a keyed hash', async () => {
    const { call, state } = await openHarness()
    await call(null, URL, register({}, '203.0.113.77'))
    expect(JSON.stringify(await state.db.selectFrom('registrations').selectAll().execute())).not.toContain('203.0.113')
  })
})

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip']
const CAP = 5

/** Statuses of six registrations, one above the limit per minute, a day after all others. Each has a peer and headers. */
async function six(
  { call, controls }: Harness,
  peerOf: (i: number) => string,
  headersOf: (i: number) => Record<string, string>,
): Promise<number[]> {
  controls.now += 86_400_000
  const statuses: number[] = []
  for (let i = 0; i <= CAP; i++)
    statuses.push((await call(null, URL, register({}, peerOf(i), headersOf(i)))).statusCode)
  return statuses
}
const ONE_SOURCE = [201, 201, 201, 201, 201, 429]
const SIX_SOURCES = Array(CAP + 1).fill(201)

describe('forged headers do not bypass the limits', () => {
  test('ignores forwarding headers without a trusted proxy', async () => {
    const harness = await openHarness()
    const forged = (name: string) => (i: number) => ({
      [name]: name === 'forwarded' ? `for=203.0.113.${i}` : `203.0.113.${i}`,
    })
    for (const name of FORWARDING) expect(await six(harness, () => '192.0.2.1', forged(name)), name).toEqual(ONE_SOURCE)
  })

  const TRUSTED = { HOLDSHORT_TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8' }

  const ONE: [string, string, (i: number) => Record<string, string>][] = [
    ['a peer outside the trusted networks', '192.0.2.1', (i) => ({ 'x-forwarded-for': `203.0.113.${i}` })],
    ['what its caller wrote before', '10.0.0.5', (i) => ({ 'x-forwarded-for': `203.0.113.${i}, 198.51.100.1` })],
    ['trusted addresses its caller wrote', '10.0.0.5', (i) => ({ 'x-forwarded-for': `10.9.9.${i}, 198.51.100.1` })],
    ['garbage its caller wrote', '10.0.0.5', (i) => ({ 'x-forwarded-for': `<${i}>, , 300.1.1.${i}, 198.51.100.1` })],
    [
      'the like through a chain',
      '10.0.0.5',
      (i) => ({ 'x-forwarded-for': `203.0.113.${i}, 198.51.100.1, 10.7.0.${i}` }),
    ],
    [
      'other headers beside it',
      '10.0.0.5',
      (i) => ({
        'x-forwarded-for': '198.51.100.1',
        'x-real-ip': `203.0.113.${i}`,
        'cf-connecting-ip': `203.0.113.${i}`,
        forwarded: `for=203.0.113.${i}`,
      }),
    ],
    ['other headers alone', '10.0.0.5', (i) => ({ 'x-real-ip': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` })],
    ['ports', '10.0.0.5', (i) => ({ 'x-forwarded-for': `198.51.100.1:${40_000 + i}` })],
    ['malformed addresses', '10.0.0.5', (i) => ({ 'x-forwarded-for': `unknown-${i}` })],
    ['hosts of one /64', '10.0.0.5', (i) => ({ 'x-forwarded-for': `2001:db8:1:2:${i}::9` })],
    [
      'spellings of one address',
      '10.0.0.5',
      (i) => ({
        'x-forwarded-for': [
          '2001:db8::1',
          '2001:DB8::1',
          '2001:0db8:0:0::1',
          '2001:db8:0:0:0:0:0:1',
          '2001:db8::0.0.0.1',
          '2001:db8::%e',
        ][i]!,
      }),
    ],
    [
      'a proxy in its IPv6 form',
      '::ffff:10.0.0.5',
      (i) => ({ 'x-forwarded-for': `203.0.113.${i}, ::ffff:198.51.100.1` }),
    ],
    ['a proxy on IPv6', 'fd00::5', (i) => ({ 'x-forwarded-for': `203.0.113.${i}, 198.51.100.1` })],
  ]

  test('behind a trusted proxy, headers written by the caller create no new sources', async () => {
    const harness = await openHarness(TRUSTED)
    for (const [what, peer, headersOf] of ONE)
      expect(await six(harness, () => peer, headersOf), what).toEqual(ONE_SOURCE)
  })

  const SIX: [string, (i: number) => string][] = [
    ['IPv4 addresses', (i) => `198.51.100.${i}`],
    ['/64s', (i) => `2001:db8:1:${i}::9`],
    ['callers through a chain', (i) => `198.51.100.${i}, 10.7.0.1`],
    ['callers through a proxy that is forwarded with its port', (i) => `198.51.100.${i}:4711, 10.7.0.1:40${i}`],
    ['callers through a proxy in brackets', (i) => `[2001:db8:1:${i}::9]:443, [fd00::7]:80, ::ffff:10.7.0.1`],
  ]

  test('behind a trusted proxy, different callers are different sources', async () => {
    const harness = await openHarness(TRUSTED)
    for (const [what, forwarded] of SIX) {
      const headersOf = (i: number) => ({ 'x-forwarded-for': forwarded(i) })
      expect(await six(harness, () => '10.0.0.5', headersOf), what).toEqual(SIX_SOURCES)
    }
  })

  test('without a proxy the source is the peer, an IPv6 peer by its /64', async () => {
    const harness = await openHarness()
    expect(
      await six(
        harness,
        (i) => `2001:db8::${i + 1}`,
        () => ({}),
      ),
    ).toEqual(ONE_SOURCE)
    expect(
      await six(
        harness,
        (i) => `2001:db8:1:${i}::1`,
        () => ({}),
      ),
    ).toEqual(SIX_SOURCES)
  })
})
