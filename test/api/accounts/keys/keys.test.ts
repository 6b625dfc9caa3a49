import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issueFurtherKey, listKeys, revokeKey } from '../../../../api/accounts/keys/keys.ts'
import { isWellFormedKey, newKey } from '../../../../api/state/key-format.ts'
import { NOW } from '../../example-snapshot.ts'
import { openHarness } from '../../harness.ts'

describe('the format of keys', () => {
  test('a new key has prefix, 30 random characters and 6 of checksum', () => {
    expect(newKey('agent')).toMatch(/^hs_agent_[0-9A-Za-z]{36}$/)
    expect(newKey('live')).toMatch(/^hs_live_[0-9A-Za-z]{36}$/)
    expect(isWellFormedKey(newKey('agent'))).toBe(true)
  })

  test('detects every single wrong character', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.nat(35), fc.constantFrom(...alphabet), (place, character) => {
        const key = newKey('live')
        const at = 'hs_live_'.length + place
        fc.pre(key[at] !== character)
        return !isWellFormedKey(key.slice(0, at) + character + key.slice(at + 1))
      }),
    )
    expect(isWellFormedKey(newKey('live').replace('hs_live_', 'hs_agent_'))).toBe(false)
  })
})

describe('stored keys', () => {
  test('free keys have the agent prefix, keys of paid tiers the live prefix', async () => {
    const { keys } = await openHarness()
    expect(keys.free.key).toMatch(/^hs_agent_/)
    expect(keys.pro.key).toMatch(/^hs_live_/)
    expect(keys.enterprise.key).toMatch(/^hs_live_/)
  })

  test('stores only a keyed hash, and only the owner can read the pepper', async () => {
    const { state, keys, dataDir } = await openHarness()
    const rows = await state.db.selectFrom('keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(keys.free.key.slice(9))
    expect(rows.map((row) => row.last_four)).toContain(keys.free.key.slice(-4))
    expect(statSync(join(dataDir, 'key-pepper')).mode & 0o777).toBe(0o600)
  })

  test('listing shows no secret, revoking twice has no further effect, and an unknown key is reported', async () => {
    const { state, keys } = await openHarness()
    expect(await revokeKey(state, keys.pro.key_id, NOW)).toBe(true)
    expect(await revokeKey(state, keys.pro.key_id, NOW + 5_000)).toBe(true)
    expect(await revokeKey(state, 'key_unknown', NOW)).toBe(false)
    const listed = await listKeys(state)
    expect(listed).toHaveLength(3)
    expect(listed.find(({ id }) => id === keys.pro.key_id)?.revoked_at).toBe(new Date(NOW).toISOString())
    expect(listed.find(({ id }) => id === keys.free.key_id)).toMatchObject({ account_name: 'free test', tier: 'free' })
    expect(JSON.stringify(listed)).not.toContain('hash')
  })

  test('limits the active keys of an account by its tier', async () => {
    const { state, keys } = await openHarness()
    for (let i = 0; i < 4; i++) expect((await issueFurtherKey(state, keys.pro.account_id, NOW)).tier).toBe('pro')
    await expect(issueFurtherKey(state, keys.pro.account_id, NOW)).rejects.toMatchObject({ code: 'CONFLICT' })
    await revokeKey(state, keys.pro.key_id, NOW)
    expect((await issueFurtherKey(state, keys.pro.account_id, NOW)).account_id).toBe(keys.pro.account_id)
  })
})

describe('presenting a key', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a malformed key', { 'x-api-key': 'hs_agent_123' }],
    ['another scheme', { authorization: 'Basic abc' }],
    ['a well-formed unknown key', { authorization: `Bearer ${newKey('live')}` }],
    ['an empty key', { 'x-api-key': '' }],
  ])('answers 401 for %s', async (_name, headers) => {
    const { call } = await openHarness()
    const answer = await call(null, '/api/v1/airports', { headers })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('accepts the key in either header, but not in both', async () => {
    const { call, keys } = await openHarness()
    const authorization = `bearer ${keys.free.key}`
    const apiKey = keys.free.key
    expect((await call(null, '/api/v1/airports', { headers: { authorization } })).statusCode).toBe(200)
    expect((await call(null, '/api/v1/airports', { headers: { 'x-api-key': apiKey } })).statusCode).toBe(200)
    const both = await call(null, '/api/v1/airports', { headers: { authorization, 'x-api-key': apiKey } })
    expect(both.statusCode).toBe(401)
  })
})
