import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { MonthMeter } from '../../../api/gate/month-meter.ts'
import { addUsage, usageByDay, usageByEndpoint } from '../../../api/gate/usage.ts'
import { openState } from '../../../api/state/open.ts'
import { HoldshortError } from '../../../config/errors.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

async function stateWithAccount() {
  const state = await openState({ data_dir: temporaryFolder() })
  onTestFinished(() => state.close())
  const { account_id } = await issueKey(state, { tier: 'free' }, NOW)
  return { state, account_id, calls: async () => usageByEndpoint(state.db, account_id, '2026-11') }
}

test('adds up rows with the same account, day and endpoint, within one write and over several', async () => {
  const { state, account_id, calls } = await stateWithAccount()
  const row = (day: string, endpoint: string, calls: number) => ({ account_id, day, endpoint, calls })
  await addUsage(state.db, [row('2026-11-21', 'b', 1), row('2026-11-20', 'a', 2), row('2026-11-21', 'b', 4)])
  const many = Array.from({ length: 1_200 }, (_, i) => row('2026-11-19', `e${i}`, 1))
  await addUsage(state.db, [...many, row('2026-11-21', 'b', 8)])
  expect((await calls()).filter(({ endpoint }) => endpoint.length === 1)).toEqual([
    { endpoint: 'a', calls: 2 },
    { endpoint: 'b', calls: 13 },
  ])
  expect(await usageByDay(state.db, account_id, '2026-11')).toEqual([
    { day: '2026-11-19', calls: 1_200 },
    { day: '2026-11-20', calls: 2 },
    { day: '2026-11-21', calls: 13 },
  ])
})

test('stores a batch once however often it is retried, and numbers batches per process', async () => {
  const { state, account_id, calls } = await stateWithAccount()
  const rows = [{ account_id, day: '2026-11-21', endpoint: 'a', calls: 3 }]
  for (const [writer, number] of [
    ['one', 1],
    ['one', 1],
    ['two', 1],
    ['one', 2],
    ['one', 1],
  ] as const)
    await addUsage(state.db, rows, { writer, number, written_ms: NOW })
  expect(await calls()).toEqual([{ endpoint: 'a', calls: 9 }])
})

test.each([
  ['was committed', true],
  ['was not committed', false],
])('counts a write once that lost its connection and %s, together with later calls', async (_, committed) => {
  const { state, account_id, calls } = await stateWithAccount()
  const meter = new MonthMeter(state.db)
  await meter.load(account_id, NOW)
  const makeBilledCall = () => meter.reserve(account_id, NOW)(true, 'a')
  makeBilledCall()
  makeBilledCall()
  const transaction = state.db.transaction.bind(state.db)
  const broken = vi.spyOn(state.db, 'transaction').mockImplementation(() => {
    const builder = transaction()
    const execute: typeof builder.execute = async (work) => {
      if (committed) await builder.execute(work)
      throw new HoldshortError('STATE_UNREACHABLE', 'connection lost')
    }
    return Object.assign(Object.create(builder) as typeof builder, { execute })
  })
  await expect(meter.flush(NOW)).rejects.toThrow('connection lost')
  makeBilledCall()
  expect(meter.used(account_id, NOW)).toBe(3)
  await expect(meter.load(account_id, NOW)).rejects.toThrow('connection lost')
  broken.mockRestore()
  await meter.load(account_id, NOW)
  await meter.flush(NOW)
  expect(await calls()).toEqual([{ endpoint: 'a', calls: 3 }])
  expect(meter.used(account_id, NOW)).toBe(3)
})
