import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../../../api/accounts/keys/keys.ts'
import { MonthMeter } from '../../../../api/data/gate/month-meter.ts'
import { addUsage, usageByDay, usageByEndpoint } from '../../../../api/data/gate/usage.ts'
import { openState } from '../../../../api/state/open.ts'
import { HoldshortError } from '../../../../config/errors.ts'
import { NOW } from '../../example-snapshot.ts'
import { temporaryFolder } from '../../harness.ts'

async function stateWithAccount() {
  const state = await openState({ data_dir: temporaryFolder() })
  onTestFinished(() => state.close())
  const { account_id } = await issueKey(state, { tier: 'free' }, NOW)
  return { state, account_id, calls: async () => usageByEndpoint(state.db, account_id, '2026-11') }
}

test('rows of the same place add up, in one write and over several', async () => {
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

test('a batch is written once however often it is tried, and each process has batches of its own', async () => {
  const { state, account_id, calls } = await stateWithAccount()
  const rows = [{ account_id, day: '2026-11-21', endpoint: 'a', calls: 3 }]
  for (const [writer, number] of [
    ['one', 1],
    ['one', 1],
    ['two', 1],
    ['one', 2],
    ['one', 1],
  ] as const)
    await addUsage(state.db, rows, { writer, number, at: NOW })
  expect(await calls()).toEqual([{ endpoint: 'a', calls: 9 }])
})

test.each([
  ['was done all the same', true],
  ['was not done', false],
])('a write that broke off and %s counts once, with what came after it', async (_, done) => {
  const { state, account_id, calls } = await stateWithAccount()
  const meter = new MonthMeter(state.db)
  await meter.load(account_id, NOW)
  const bill = () => meter.reserve(account_id, NOW)(true, 'a')
  bill()
  bill()
  const transaction = state.db.transaction.bind(state.db)
  const broken = vi.spyOn(state.db, 'transaction').mockImplementation(() => {
    const builder = transaction()
    const execute: typeof builder.execute = async (work) => {
      if (done) await builder.execute(work)
      throw new HoldshortError('STATE_UNREACHABLE', 'broken off')
    }
    return Object.assign(Object.create(builder) as typeof builder, { execute })
  })
  await expect(meter.flush(NOW)).rejects.toThrow('broken off')
  bill()
  expect(meter.used(account_id, NOW)).toBe(3)
  await expect(meter.load(account_id, NOW)).rejects.toThrow('broken off')
  broken.mockRestore()
  await meter.load(account_id, NOW)
  await meter.flush(NOW)
  expect(await calls()).toEqual([{ endpoint: 'a', calls: 3 }])
  expect(meter.used(account_id, NOW)).toBe(3)
})
