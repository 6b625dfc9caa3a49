import { expect, test } from 'vitest'
import type { AccountDependencies } from '../../../accounts/dependencies.ts'
import { deleteOldReportsTask } from '../../../api/reports/delete-old-reports.ts'
import { fileReport } from '../../../api/reports/file-report.ts'
import { RateLimitedError } from '../../../config/errors.ts'
import { DAY_MS, HOUR_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { addressOf, reportedWait, stateWith, travellersOf } from './reported-waits.ts'

const here = { snapshot: snapshotAt(), now: NOW }
const origin = (traveller: number) => ({ ...here, address: addressOf(traveller) })

test('where nothing is known, a report over two hours is held until a traveller of another network agrees', async () => {
  const { state, accounts } = await stateWith(3)
  const [ada, ben, cem] = accounts as [string, string, string]
  const first = await fileReport(state, reportedWait({ wait_minutes: 150 }), ada, origin(1))
  expect(first.report).toMatchObject({ status: 'held', landed_at: null })
  expect(first.report.reason).toContain('over 120 minutes')
  // Another report of the same account, an ordinary wait, and another account of the same network do not confirm it.
  const again = reportedWait({ wait_minutes: 150, observed_at: isoUtc(NOW - 20 * MINUTE_MS) })
  expect((await fileReport(state, again, ada, origin(1))).report.status).toBe('held')
  expect((await fileReport(state, reportedWait({ wait_minutes: 40 }), ben, origin(2))).agreeing).toBe(0)
  const neighbour = { ...here, address: '198.18.1.250' }
  expect((await fileReport(state, reportedWait({ wait_minutes: 160 }), ben, neighbour)).report.status).toBe('held')
  const second = await fileReport(state, reportedWait({ wait_minutes: 170 }), cem, origin(3))
  expect([second.report.status, second.agreeing]).toEqual(['accepted', 1])
})

test('against a known figure three travellers of different networks must agree', async () => {
  const { state, accounts } = await stateWith(5)
  const far = reportedWait({ iata: 'JFK', queue: 'security', wait_minutes: 117 })
  const file = async (traveller: number, address: string | null) =>
    (await fileReport(state, far, accounts[traveller]!, { ...here, address })).report.status
  expect(await file(0, '2001:db8:0:1::1')).toBe('held')
  expect(await file(1, '2001:db8:0:ff::1'), 'the same /48').toBe('held')
  expect(await file(2, null), 'a network that nobody knows').toBe('held')
  expect(await file(3, '2001:db8:2::1')).toBe('held')
  expect(await file(4, '2001:db8:3::1')).toBe('accepted')
})

test('accounts younger than a day confirm nothing', async () => {
  const { state, accounts } = await stateWith(1)
  const young = await travellersOf(state, 6, NOW - DAY_MS + 1)
  const far = reportedWait({ iata: 'JFK', queue: 'security', wait_minutes: 117 })
  for (const [number, account] of [...young, ...accounts].entries())
    expect((await fileReport(state, far, account, origin(number))).report.status).toBe('held')
})

test('a traveller has one voice: of an account or network the newest report counts, and new accounts yield to older ones', async () => {
  const { state, accounts } = await stateWith(2)
  const young = await travellersOf(state, 2, NOW)
  const statuses = async () =>
    (
      await state.db.selectFrom('wait_reports').select(['wait_minutes', 'status']).orderBy('wait_minutes').execute()
    ).map(({ wait_minutes, status }) => `${wait_minutes} ${status}`)
  const file = (wait_minutes: number, account: string, traveller: number) =>
    fileReport(
      state,
      reportedWait({ wait_minutes, observed_at: isoUtc(NOW - (60 - wait_minutes) * MINUTE_MS) }),
      account,
      origin(traveller),
    )
  await file(10, young[0]!, 1)
  await file(11, young[1]!, 1)
  expect(await statuses(), 'one network').toEqual(['10 superseded', '11 accepted'])
  await file(12, young[0]!, 2)
  expect(await statuses(), 'one account on two networks takes no voice from the first').toEqual([
    '10 replaced',
    '11 accepted',
    '12 accepted',
  ])
  await file(30, accounts[0]!, 3)
  expect((await statuses()).slice(1)).toEqual(['11 superseded', '12 superseded', '30 accepted'])
  await file(45, accounts[1]!, 3)
  expect((await statuses()).slice(3)).toEqual(['30 superseded', '45 accepted'])
})

test('the network of a report is a keyed hash, and is erased after two days', async () => {
  const { state, accounts } = await stateWith(1)
  const { report } = await fileReport(state, reportedWait(), accounts[0]!, origin(1))
  expect(report.network_hash).toMatch(/^[\w-]{20,}$/)
  expect(JSON.stringify(report)).not.toContain('198.18')
  const kept = async (now: number) => {
    await deleteOldReportsTask.run({ state } as AccountDependencies, now)
    return (await state.db.selectFrom('wait_reports').select('network_hash').executeTakeFirst())?.network_hash
  }
  expect(await kept(NOW + 2 * DAY_MS - 1)).toBe(report.network_hash)
  expect(await kept(NOW + 2 * DAY_MS)).toBeNull()
})

test('a later report of the same lane within ten minutes replaces the earlier one', async () => {
  const { state, accounts } = await stateWith(2)
  const [ada, ben] = accounts as [string, string]
  await fileReport(state, reportedWait({ observed_at: isoUtc(NOW - 9 * MINUTE_MS) }), ada, here)
  await fileReport(state, reportedWait({ terminal: '4', observed_at: isoUtc(NOW) }), ada, here)
  await fileReport(state, reportedWait({ observed_at: isoUtc(NOW) }), ben, origin(2))
  expect(
    (await fileReport(state, reportedWait({ wait_minutes: 30, observed_at: isoUtc(NOW) }), ada, here)).replaced,
  ).toBe(1)
  const rows = await state.db.selectFrom('wait_reports').selectAll().orderBy('observed_at').execute()
  expect(rows.map(({ terminal, status }) => `${terminal} ${status}`).toSorted()).toEqual([
    '4 superseded',
    'null accepted',
    'null accepted',
    'null replaced',
  ])
  // Reports of two travellers at the same instant are two readings.
  expect(new Set(rows.map(({ terminal, observed_at }) => `${terminal} ${observed_at}`)).size).toBe(4)
})

test('a held correction replaces the accepted report once another traveller agrees, with a later instant', async () => {
  const { state, accounts } = await stateWith(2)
  const [ada, ben] = accounts as [string, string]
  await fileReport(state, reportedWait({ observed_at: isoUtc(NOW) }), ada, here)
  const correction = reportedWait({ wait_minutes: 150, observed_at: isoUtc(NOW - 5 * MINUTE_MS) })
  const { report } = await fileReport(state, correction, ada, origin(1))
  const rows = () => state.db.selectFrom('wait_reports').selectAll().orderBy('observed_at').execute()
  expect((await rows()).map(({ status }) => status)).toEqual(['accepted', 'held'])
  expect(Date.parse(report.observed_at), 'later than what it corrects').toBe(NOW + 1)
  await fileReport(state, reportedWait({ wait_minutes: 140 }), ben, origin(2))
  const statuses = (await rows()).map(({ wait_minutes, status }) => [wait_minutes, status])
  expect(statuses).toEqual([
    [140, 'accepted'],
    [25, 'replaced'],
    [150, 'accepted'],
  ])
})

test('a report is deleted from the state after a month, unless it has not landed yet', async () => {
  const { state, accounts } = await stateWith(2)
  const [ada, ben] = accounts as [string, string]
  const { report: landed } = await fileReport(state, reportedWait({}), ada, here)
  await state.db
    .updateTable('wait_reports')
    .set({ landed_at: isoUtc(NOW) })
    .where('id', '=', landed.id)
    .execute()
  const { report: waiting } = await fileReport(state, reportedWait({}), ben, here)
  const { report: held } = await fileReport(state, reportedWait({ terminal: '4', wait_minutes: 170 }), ada, here)
  expect(held.status).toBe('held')
  const left = async (now: number) => {
    await deleteOldReportsTask.run({ state } as AccountDependencies, now)
    return (await state.db.selectFrom('wait_reports').select('id').execute()).map(({ id }) => id).sort()
  }
  expect(await left(NOW + 29 * 24 * HOUR_MS)).toEqual([landed.id, waiting.id, held.id].sort())
  expect(await left(NOW + 31 * 24 * HOUR_MS)).toEqual([waiting.id])
})

test('allows five reports an hour at an airport and ten in all, and returns the retry time', async () => {
  const { state, accounts } = await stateWith(1)
  const [ada] = accounts as [string]
  const file = (iata: string, now: number) =>
    fileReport(state, reportedWait({ iata, observed_at: isoUtc(now) }), ada, { snapshot: here.snapshot, now })
  for (let i = 0; i < 5; i++) await file('GRU', NOW + i * MINUTE_MS)
  const now = NOW + 10 * MINUTE_MS
  await expect(file('GRU', now)).rejects.toMatchObject({ scope: 'reports_airport', retryAfterSeconds: 50 * 60 })
  for (let i = 0; i < 5; i++) await file('DEL', now)
  await expect(file('JFK', now)).rejects.toMatchObject({ scope: 'reports_account', retryAfterSeconds: 50 * 60 })
  await expect(file('JFK', NOW + HOUR_MS - 1)).rejects.toBeInstanceOf(RateLimitedError)
  await file('GRU', NOW + HOUR_MS)
})

test('simultaneous reports of one account never exceed its limit', async () => {
  const { state, accounts } = await stateWith(1)
  const [ada] = accounts as [string]
  const filings = Array.from({ length: 12 }, () => fileReport(state, reportedWait(), ada, here))
  const done = await Promise.allSettled(filings)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('simultaneous agreeing reports of two accounts are both accepted and stored separately', async () => {
  const { state, accounts } = await stateWith(8)
  for (const [i, terminal] of ['1', '2', '3', '4'].entries()) {
    const unlikely = reportedWait({ terminal, wait_minutes: 150, observed_at: isoUtc(NOW) })
    const file = (traveller: number) => fileReport(state, unlikely, accounts[traveller]!, origin(traveller))
    await Promise.all([file(2 * i), file(2 * i + 1)])
  }
  const rows = await state.db.selectFrom('wait_reports').selectAll().execute()
  expect(rows.map(({ status }) => status)).toEqual(Array(8).fill('accepted'))
  expect(new Set(rows.map(({ terminal, observed_at }) => `${terminal} ${observed_at}`)).size).toBe(8)
})
