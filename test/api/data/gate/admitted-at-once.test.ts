import { expect, test } from 'vitest'
import { issueKey, revokeKey } from '../../../../api/accounts/keys/keys.ts'
import { LocalGate } from '../../../../api/data/gate/local-gate.ts'
import { NOW } from '../../example-snapshot.ts'
import { openHarness } from '../../harness.ts'

test('only a caller about whom nothing must be read is admitted at once, and looking counts nothing', async () => {
  const { state } = await openHarness()
  const gate = new LocalGate(state)
  const { key, key_id } = await issueKey(state, { tier: 'free' }, NOW)
  expect(gate.tierAdmittedAtOnce(key, NOW)).toBeNull()
  const { terms, quotas } = await gate.admit(key, NOW, true)
  for (let look = 0; look < 100; look += 1) {
    const tier = gate.tierAdmittedAtOnce(key, NOW)
    expect(tier === null || tier === 'free').toBe(true)
  }
  expect((await gate.admit(key, NOW, true)).quotas.minute.remaining).toBe(quotas.minute.remaining - 1)
  for (let call = 2; call < terms.requests_per_minute; call += 1) await gate.admit(key, NOW, true)
  expect(gate.tierAdmittedAtOnce(key, NOW)).toBeNull()
  await revokeKey(state, key_id, NOW)
  expect(gate.tierAdmittedAtOnce(key, NOW + 120_000)).toBeNull()
  expect(gate.decisions.admitted).toBe(terms.requests_per_minute)
})

test('a state that answers later, or not, is read once for a request', async () => {
  const { state } = await openHarness()
  const { key } = await issueKey(state, { tier: 'pro' }, NOW)
  let reads = 0
  let isAway = false
  const accessVersion = async () => {
    reads += 1
    if (isAway) throw new Error('the database is away')
    return 1
  }
  const gate = new LocalGate(Object.assign({}, state, { accessVersion }))
  const decide = () => {
    expect(gate.tierAdmittedAtOnce(key, NOW)).toBeNull()
    return gate.admit(key, NOW, true)
  }
  await decide()
  reads = 0
  await decide()
  expect(reads).toBe(1)
  isAway = true
  await expect(decide()).rejects.toThrow('the database is away')
  // Nobody admits after it: the failure is nobody's, and ends no process.
  gate.tierAdmittedAtOnce(key, NOW)
  await new Promise((resolve) => setImmediate(resolve))
  isAway = false
  await decide()
})
