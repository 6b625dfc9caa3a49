import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listKeys, revokeKey } from '../../../accounts/keys/keys.ts'
import { isWellFormedKey, newKey } from '../../../api/state/key-format.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { openHarness } from '../../api/harness.ts'

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
        const position = 'hs_live_'.length + place
        fc.pre(key[position] !== character)
        return !isWellFormedKey(key.slice(0, position) + character + key.slice(position + 1))
      }),
    )
    expect(isWellFormedKey(newKey('live').replace('hs_live_', 'hs_agent_'))).toBe(false)
  })
})

describe('stored keys', () => {
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
})
