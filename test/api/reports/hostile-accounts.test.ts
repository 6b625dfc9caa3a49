import { expect, test } from 'vitest'
import { OPERATOR } from '../../../accounts/audit/audit-log.ts'
import { withdrawReports } from '../../../accounts/moderation/withdraw-reports.ts'
import { deleteAccount } from '../../../accounts/privacy/delete-account.ts'
import { fileReport } from '../../../api/reports/file-report.ts'
import { handOverReports } from '../../../api/reports/hand-over.ts'
import { reporterNetwork } from '../../../api/reports/travellers.ts'
import type { State } from '../../../api/state/state.ts'
import { projectText } from '../../../config/project-text.ts'
import { DAY_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { implementCall } from '../../../jobs/calls/define-call.ts'
import { reportsCall } from '../../../jobs/calls/reports.ts'
import { createReportLander } from '../../../pipeline/land-reports.ts'
import { currentWaits } from '../../../warehouse/publishing/waits/choice-of-source.ts'
import { latestReadings } from '../../../warehouse/publishing/waits/queue-wait.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { inProcessClient } from '../../jobs/calls/in-process-client.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { reportedWait, stateWith, travellersOf } from './reported-waits.ts'

/** The forecast of the hour is 0 to 5 minutes and nothing is measured; honest travellers waited 4 to 8. */
const snapshot = snapshotAt(NOW, { queues: {} })
const HONEST_MINUTES = [4, 5, 6, 7, 8]
const HOSTILE_ACCOUNTS = 20

interface Attack {
  minutes: number
  networks: number
  /** Age of the hostile accounts. */
  age_ms: number
}

/** The published wait after the reports have landed: minutes and travellers; null where there is none. */
async function published(state: State) {
  await using warehouse = await newWarehouse()
  const land = createReportLander(warehouse, () => NOW)
  await handOverReports(state, inProcessClient(implementCall(reportsCall, land)), NOW)
  const [queue] = currentWaits(await latestReadings(warehouse, NOW), NOW)
  await rollUp(warehouse)
  expect(await warehouse.query('SELECT 1 FROM rollups UNION ALL SELECT 1 FROM open_hours'), 'no history').toEqual([])
  return queue ? { minutes: queue.wait.average_wait_minutes, travellers: queue.wait.travellers } : null
}

/** Twenty hostile accounts report at random moments of the same half hour in which five honest travellers report. */
async function attacked({ minutes, networks, age_ms }: Attack) {
  const { state, accounts } = await stateWith(HONEST_MINUTES.length)
  const hostile = await travellersOf(state, HOSTILE_ACCOUNTS, NOW - age_ms)
  const reports = [
    ...accounts.map((account, i) => ({ account, wait_minutes: HONEST_MINUTES[i]!, address: `198.51.${i}.9` })),
    ...hostile.map((account, i) => ({ account, wait_minutes: minutes, address: `203.0.${i % networks}.${i + 1}` })),
  ]
  const random = seededRandom(networks)
  const inOrder = reports
    .map((report) => ({ ...report, ago_ms: Math.floor(random() * 30) * MINUTE_MS }))
    .sort((a, b) => b.ago_ms - a.ago_ms)
  for (const { account, wait_minutes, address, ago_ms } of inOrder) {
    const now = NOW - ago_ms
    const report = reportedWait({ iata: 'JFK', queue: 'security', wait_minutes, observed_at: isoUtc(now) })
    await fileReport(state, report, account, { snapshot, now, address })
  }
  return { state, hostile }
}

const AGES = { 'seconds old': 5_000, 'a week old': 7 * DAY_MS }

test.runIf(EXHAUSTIVE)(
  'twenty hostile accounts against five honest ones: the table of the decision',
  async () => {
    const rows: string[] = []
    for (const [age, age_ms] of Object.entries(AGES))
      for (const minutes of [117, 30])
        for (const networks of [1, 3, 10]) {
          const { state } = await attacked({ minutes, networks, age_ms })
          const wait = await published(state)
          rows.push(`| ${age} | ${networks} | ${minutes} | ${wait?.minutes} min by ${wait?.travellers} travellers |`)
        }
    const inDecision = projectText('docs/decisions/readings.md').split('\n')
    expect(inDecision.filter((line) => /^\| (seconds|a week) old/.test(line))).toEqual(rows)
  },
  60_000,
)

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.200', '203.0.113.0/24'],
  ['2001:db8:1:2::9', '2001:db8:1::/48'],
  ['2001:db8:1:ff::9', '2001:db8:1::/48'],
  ['[2001:db8:0:1::9]:443', '2001:db8:0::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['nowhere', null],
  [null, null],
])('the network of a report from %s is %s', (address, network) => {
  expect(reporterNetwork(address)).toBe(network)
})

test('accounts that report from one network, each deleted before the next one reports, have no voices', async () => {
  const { state, accounts } = await stateWith(HONEST_MINUTES.length)
  await using warehouse = await newWarehouse()
  const land = createReportLander(warehouse, () => NOW)
  const client = inProcessClient(implementCall(reportsCall, land))
  const report = async (account: string, wait_minutes: number, address: string) => {
    const reported = reportedWait({ iata: 'JFK', queue: 'security', wait_minutes, observed_at: isoUtc(NOW) })
    await fileReport(state, reported, account, { snapshot, now: NOW, address })
    await handOverReports(state, client, NOW)
  }
  for (const [i, minutes] of HONEST_MINUTES.entries()) await report(accounts[i]!, minutes, `198.51.${i}.9`)
  for (const account_id of await travellersOf(state, repetitions(6, HOSTILE_ACCOUNTS))) {
    await report(account_id, 30, '203.0.113.1')
    await deleteAccount(state, { account_id, person_id: null }, OPERATOR, NOW)
  }
  await handOverReports(state, client, NOW)
  const [queue] = currentWaits(await latestReadings(warehouse, NOW), NOW)
  expect(queue?.wait).toMatchObject({ average_wait_minutes: 6, travellers: HONEST_MINUTES.length })
  expect(await warehouse.query('SELECT 1 FROM readings WHERE wait_minutes = 30')).toEqual([])
})

const LANES = [{}, { lane: 'standard' }, { terminal: '1' }, { terminal: '4' }, { terminal: '8' }] as const

test.each([
  ['one old account on one network', [0, 0, 0, 0, 0], 7 * DAY_MS, false],
  ['one old account that changes its network', [0, 0, 0, 0, 0], 7 * DAY_MS, true],
  ['new accounts on one network', [0, 1, 2, 3, 4], 5_000, false],
  ['new accounts on many networks', [0, 1, 2, 3, 4], 5_000, true],
])('%s takes no more voices by reporting of other terminals and lanes', async (_case, accountOf, age_ms, changes) => {
  const { state, accounts } = await stateWith(HONEST_MINUTES.length)
  const hostile = await travellersOf(state, LANES.length, NOW - age_ms)
  const file = (account: string, over: object, address: string, ago: number) => {
    const observed_at = isoUtc(NOW - ago * MINUTE_MS)
    const reported = reportedWait({ iata: 'JFK', queue: 'security', observed_at, ...over })
    return fileReport(state, reported, account, { snapshot, now: NOW - ago * MINUTE_MS, address })
  }
  for (const [i, wait_minutes] of HONEST_MINUTES.entries())
    await file(accounts[i]!, { wait_minutes }, `198.51.${i}.9`, 50)
  for (const [i, place] of LANES.entries())
    await file(hostile[accountOf[i]!]!, { wait_minutes: 30, ...place }, `203.0.${changes ? i : 0}.1`, 5 - i)
  const wait = await published(state)
  expect(wait!.minutes).toBeLessThanOrEqual(7)
})

test('travellers of one network who stand at different terminals each have a voice', async () => {
  const { state, accounts } = await stateWith(2)
  for (const [i, account] of accounts.entries()) {
    const reported = reportedWait({
      iata: 'JFK',
      queue: 'security',
      terminal: ['1', '4'][i]!,
      wait_minutes: [6, 20][i]!,
      observed_at: isoUtc(NOW - (45 - 40 * i) * MINUTE_MS),
    })
    await fileReport(state, reported, account, { snapshot, now: NOW, address: '203.0.113.1' })
  }
  expect(await published(state)).toEqual({ minutes: 13, travellers: 2 })
})

test('the operator withdraws the reports of hostile accounts, and the wait is published anew', async () => {
  const { state, hostile } = await attacked({ minutes: 117, networks: 10, age_ms: 7 * DAY_MS })
  await using warehouse = await newWarehouse()
  const client = inProcessClient(
    implementCall(
      reportsCall,
      createReportLander(warehouse, () => NOW),
    ),
  )
  const publish = async () => {
    await handOverReports(state, client, NOW)
    const [queue] = currentWaits(await latestReadings(warehouse, NOW), NOW)
    return [queue?.wait.average_wait_minutes, queue?.wait.travellers]
  }
  expect((await publish())[0]).toBe(117)
  // What only the withdrawn ones confirmed is held again, so two that are left do not stand.
  for (const account of hostile.slice(0, 18))
    expect(await withdrawReports(state, account, NOW)).toMatchObject({ withdrawn: 1, airports: ['JFK'] })
  expect(await publish()).toEqual([6, 5])
  expect(await warehouse.query('SELECT 1 FROM readings WHERE wait_minutes = 117')).toEqual([])
  expect(await withdrawReports(state, hostile[0]!, NOW)).toMatchObject({ withdrawn: 0, counted: 0 })
  const audit = await state.db.selectFrom('audit').select('action').where('account_id', '=', hostile[0]!).execute()
  expect(audit.map(({ action }) => action)).toContain('reports_withdrawn')
})
