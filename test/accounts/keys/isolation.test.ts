import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { newKey } from '../../../api/state/key-format.ts'
import { type Harness, shareHarness } from '../../api/harness.ts'

const harness = shareHarness()
const { call, keys } = harness

const URL = '/api/v1/airports/JFK/delays'
const ME = '/api/agent/me'

const refused = [401, 'INVALID_API_KEY']
const statusAndCode = ({ statusCode, json }: { statusCode: number; json: () => { code: string } }) => [
  statusCode,
  json().code,
]

/** Expects that both keys still work and see only their own account. */
async function unharmed({ call, keys }: Harness): Promise<void> {
  for (const tier of ['pro', 'enterprise'] as const) {
    const me = await call(tier, ME)
    expect(me.json()).toMatchObject({ account: { id: keys[tier].account_id }, key: { id: keys[tier].key_id }, tier })
    const others = (['free', 'pro', 'enterprise'] as const).filter((name) => name !== tier)
    for (const other of others)
      for (const secret of [keys[other].account_id, keys[other].key_id, keys[other].key])
        expect(me.body).not.toContain(secret)
  }
}

describe('a key of another account', () => {
  test('cannot be revoked, however its id is written, and a misspelled id does not revoke the caller’s own key', async () => {
    const { call, keys } = harness
    const theirs = keys.enterprise.key_id
    const own = keys.pro.key_id
    const encoded = (id: string) => [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    const ids = [
      theirs,
      theirs.toUpperCase(),
      theirs.toLowerCase().replace('key_', 'KEY_'),
      encoded(theirs),
      own.toUpperCase(),
      `${own}%20`,
      `%20${own}`,
      `${own}%00`,
      `${own}.`,
      `${own};`,
      own.slice(0, -1),
      `${own}0`,
      `${theirs}%00${own}`,
      `${own},${theirs}`,
      `${own}%2F..%2F${theirs}`,
      `..%2F${theirs}`,
      `${own}%2F`,
      '%25',
      '_',
      '*',
      'key_%25',
      '%27%20OR%201=1--',
      'null',
      'undefined',
      '0',
      '[object%20Object]',
      '%F0%9F%94%91',
      keys.pro.account_id,
      keys.enterprise.account_id,
      keys.pro.key,
      keys.enterprise.key,
      'me',
      'key_',
    ]
    for (const id of ids)
      expect(statusAndCode(await call('pro', `/api/keys/${id}`, { method: 'DELETE' })), id).toEqual([404, 'NOT_FOUND'])
    for (const broken of ['%', '%E0%A4', `${own}%zz`])
      expect((await call('pro', `/api/keys/${broken}`, { method: 'DELETE' })).statusCode, broken).toBe(400)
    await unharmed(harness)
  })

  test('cannot be named in a query string, a header or a body, and no other method revokes it', async () => {
    const { call, keys } = harness
    const { key, key_id, account_id } = keys.enterprise
    const own = `/api/keys/${keys.pro.key_id}`
    for (const query of [`?keyId=${key_id}`, `?account_id=${account_id}`, `?id=${key_id}`])
      for (const [method, url] of [
        ['DELETE', own],
        ['GET', ME],
      ] as const)
        expect(statusAndCode(await call('pro', url + query, { method }))).toEqual([400, 'INVALID_PARAMETER'])
    const headers = { 'x-account-id': account_id, 'x-forwarded-user': account_id, cookie: `key=${key}; api_key=${key}` }
    expect((await call('pro', ME, { headers })).json().account.id).toBe(keys.pro.account_id)
    const theirs = { method: 'DELETE', payload: { keyId: keys.pro.key_id } } as const
    expect((await call('pro', `/api/keys/${key_id}`, theirs)).statusCode).toBe(404)
    await unharmed(harness)

    // Only DELETE revokes.
    for (const id of [keys.pro.key_id, keys.enterprise.key_id])
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const) {
        const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
        const answer = await call('pro', `/api/keys/${id}`, { method, headers: override })
        expect(answer.statusCode, method).toBe(405)
      }
    expect((await call('pro', `/api/keys/${keys.pro.key_id}`, { method: 'OPTIONS' })).statusCode).toBe(204)
    await unharmed(harness)
  })

  test('revoking a key leaves all others valid, and a revoked key can do nothing, not even revoke', async () => {
    const own = `/api/keys/${keys.pro.key_id}`
    expect((await call('pro', own, { method: 'DELETE' })).statusCode).toBe(204)
    for (const [method, url] of [
      ['DELETE', own],
      ['GET', ME],
      ['HEAD', URL],
      ['GET', URL],
    ] as const)
      expect((await call('pro', url, { method })).statusCode).toBe(401)
    expect((await call('enterprise', own, { method: 'DELETE' })).statusCode).toBe(404)
    expect((await call('free', ME)).statusCode).toBe(200)
    expect((await call('enterprise', URL)).statusCode).toBe(200)
  })
})

describe('presenting keys', () => {
  test('refuses a request with two keys, in whatever headers they are sent', async () => {
    const ownKey = keys.pro.key
    const other = keys.enterprise.key
    await harness.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = harness.app.server.address() as AddressInfo
    // Over a raw socket, because clients and inject() would join or drop repeated headers.
    const status = (...headers: [string, string][]) =>
      new Promise<number>((resolve, reject) => {
        const all = [['Host', `127.0.0.1:${port}`], ...headers].flat()
        httpRequest({ port, host: '127.0.0.1', path: ME, headers: all }, (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
          .on('error', reject)
          .end()
      })
    expect(await status(['X-API-Key', ownKey])).toBe(200)
    expect(await status(['X-API-Key', ownKey], ['Authorization', `Bearer ${other}`])).toBe(401)
    expect(await status(['Authorization', `Bearer ${ownKey}`], ['X-API-Key', ownKey])).toBe(200)
    expect(await status(['Authorization', `Bearer ${ownKey}`], ['X-API-Key', ''])).toBe(401)
    expect(await status(['X-API-Key', ownKey], ['X-API-Key', other])).toBe(401)
    expect(await status(['X-API-Key', ownKey], ['x-api-key', ownKey])).toBe(401)
    // Node ignores the second of two Authorization headers, so it authenticates nothing.
    expect(await status(['Authorization', 'Bearer hs_live_no'], ['Authorization', `Bearer ${ownKey}`])).toBe(401)
    expect(await status(['Authorization', `Bearer ${ownKey}, Bearer ${other}`])).toBe(401)
    expect(await status(['Authorization', `Bearer ${ownKey} ${other}`])).toBe(401)
  })

  test('accepts a key only in its headers, complete and unchanged', async () => {
    const { key } = keys.pro
    for (const name of ['api_key', 'key', 'access_token', 'X-API-Key']) {
      expect(statusAndCode(await call(null, `${URL}?${name}=${key}`)), name).toEqual(refused)
      expect(statusAndCode(await call('pro', `${URL}?${name}=${key}`)), name).toEqual([400, 'INVALID_PARAMETER'])
    }
    expect(statusAndCode(await call(null, URL, { headers: { cookie: `api_key=${key}; X-API-Key=${key}` } }))).toEqual(
      refused,
    )
    const basic = Buffer.from(`${key}:`).toString('base64')
    for (const authorization of [`Basic ${basic}`, `Token ${key}`, key, `Bearer`, `Bearer ${key}x`, `Bearer: ${key}`])
      expect(statusAndCode(await call(null, URL, { headers: { authorization } })), authorization).toEqual(refused)

    // White space around a key is ignored; white space within it makes it invalid.
    for (const authorization of [`Bearer ${key} `, `bearer   ${key}`, `BEARER ${key}`])
      expect((await call(null, URL, { headers: { authorization } })).statusCode, authorization).toBe(200)
    const half = `${key.slice(0, 20)} ${key.slice(20)}`
    for (const broken of [half, half.replace(' ', '\t'), `${key},`, `"${key}"`, `<${key}>`, key.replace('_', ' ')])
      expect(statusAndCode(await call(null, URL, { headers: { 'x-api-key': broken } })), broken).toEqual(refused)

    // The parts of a key or account that others may know authenticate nothing.
    const { key_id, account_id } = keys.pro
    const { hash } = await harness.state.db
      .selectFrom('keys')
      .select('hash')
      .where('id', '=', key_id)
      .executeTakeFirstOrThrow()
    for (const guess of [key_id, account_id, hash, key.slice(8), key.toLowerCase(), key.toUpperCase(), newKey('live')])
      expect(statusAndCode(await call(null, URL, { headers: { 'x-api-key': guess } })), guess).toEqual(refused)
  })
})
