import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../../config/domain.ts'
import { RateLimitedError } from '../../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../../config/steady-clock.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import type { State } from '../../state/state.ts'
import type { StateTables, WaitReportRow } from '../../state/tables.ts'
import { agrees, implausibleReason } from './plausibility.ts'
import { REPORT_RULES, type ReportedWait, UNMATCHED } from './report-rules.ts'

/** A report with its account and the result of the plausibility check, before it is stored. */
export type CheckedReport = Omit<WaitReportRow, 'id' | 'filed_at' | 'landed_at'>

/** A report as it is filed. */
export interface NewReport extends ReportedWait {
  /** The traveller's own words for a terminal that matches no known one; absent or null otherwise. */
  unmatched_terminal?: string | null
}

/** The result of filing a report. */
export interface FiledReport {
  report: WaitReportRow
  /** Number of earlier reports of the same account that it replaces. */
  replaced: number
  /** Number of reports of other accounts that agree with it. */
  agreeing: number
}

/**
 * Files a traveller's report within the limits. It replaces the reports of the same account and lane within ten minutes; it
 * is held if it is implausible, and accepted if a report of another account agrees. A report of a terminal that matches no
 * known one is stored apart: it is compared with nothing and replaces nothing. It is committed when this returns.
 * @throws RateLimitedError
 */
export async function fileReport(
  { db }: Pick<State, 'db'>,
  { unmatched_terminal = null, ...reported }: NewReport,
  account_id: string,
  { snapshot, now }: { snapshot: Snapshot; now: number },
): Promise<FiledReport> {
  if (unmatched_terminal !== null) return holdUnmatched({ db }, reported, unmatched_terminal, account_id, now)
  const reason = implausibleReason(reported, snapshot)
  const checked: CheckedReport = { ...reported, account_id, status: reason === null ? 'accepted' : 'held', reason }
  return db.transaction().execute(async (transaction) => {
    await lockReports(transaction)
    await checkReportLimits(transaction, account_id, reported.iata, now)
    const { earlier, observed_at } = await earlierReports(transaction, checked)
    // A held report must not replace one that counts.
    const replaced = earlier.filter(({ status }) => reason === null || status === 'held')
    await markReplaced(transaction, replaced)
    const report = await insertReport({ db: transaction }, { ...checked, observed_at }, now)
    const agreeing = await acceptAgreeing(transaction, report)
    const decision = agreeing > 0 ? { status: 'accepted', reason: null } : {}
    return { report: { ...report, ...decision }, replaced: replaced.length, agreeing }
  })
}

/** Stores a report with the traveller's own words for the terminal. No other account can make it count. */
async function holdUnmatched(
  { db }: Pick<State, 'db'>,
  reported: ReportedWait,
  terminal: string,
  account_id: string,
  now: number,
): Promise<FiledReport> {
  const reason = 'no terminal of the airport is known by that name'
  return db.transaction().execute(async (transaction) => {
    await lockReports(transaction)
    await checkReportLimits(transaction, account_id, reported.iata, now)
    const unmatched = { ...reported, terminal, account_id, status: UNMATCHED, reason }
    return { report: await insertReport({ db: transaction }, unmatched, now), replaced: 0, agreeing: 0 }
  })
}

/** Serializes the filing of reports across all processes, so that each is counted and compared with all before it. */
async function lockReports(db: Kysely<StateTables>): Promise<void> {
  await db
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 3)
    .execute()
}

/**
 * Checks the limits of an account for an hour, at the airport and in all. Corrections count, rejected reports do not. Must
 * run in the transaction that files the report.
 * @throws RateLimitedError of scope `reports_airport` or `reports_account`
 */
async function checkReportLimits(
  db: Kysely<StateTables>,
  account_id: string,
  iata: string,
  now: number,
): Promise<void> {
  const newestFirst = await db
    .selectFrom('wait_reports')
    .select(['iata', 'filed_at'])
    .where('account_id', '=', account_id)
    .where('filed_at', '>', new Date(now - HOUR_MS).toISOString())
    .where('filed_at', '<=', new Date(now + MAX_CLOCK_SKEW_MS).toISOString())
    .orderBy('filed_at', 'desc')
    .execute()
  const { per_airport_hour, per_hour } = REPORT_RULES
  const atAirport = newestFirst.filter((report) => report.iata === iata)
  checkLimit(atAirport, per_airport_hour, 'reports_airport', `reports of ${iata}`, now)
  checkLimit(newestFirst, per_hour, 'reports_account', 'reports', now)
}

/** The next report is allowed when the oldest of the last `max` reports is an hour old. */
function checkLimit(newestFirst: { filed_at: string }[], max: number, scope: string, subject: string, now: number) {
  const oldest = newestFirst[max - 1]
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((Math.min(Date.parse(oldest.filed_at), now) + HOUR_MS - now) / 1_000))
  const message = `more than ${max} ${subject} of one account in an hour; file the next in ${seconds} s`
  throw new RateLimitedError(scope, seconds, message)
}

/** Stores a checked report without comparing it with others; it is committed with the transaction of `db`, or at once. */
export async function insertReport(
  { db }: Pick<State, 'db'>,
  checked: CheckedReport,
  now: number,
): Promise<WaitReportRow> {
  const observed_at = await freeInstant(db, checked)
  const filed_at = new Date(now).toISOString()
  const row = { ...checked, observed_at, id: `report_${randomUUID()}`, filed_at, landed_at: null }
  await db.insertInto('wait_reports').values(row).execute()
  return row
}

/** Selects the reports of one lane of an airport from an instant on. */
function reportsOfLane(db: Kysely<StateTables>, { iata, queue, terminal, lane }: CheckedReport, from_ms: number) {
  return db
    .selectFrom('wait_reports')
    .selectAll()
    .where('iata', '=', iata)
    .where('queue', '=', queue)
    .where('observed_at', '>=', new Date(from_ms).toISOString())
    .where((is) =>
      is.and([
        terminal === null ? is('terminal', 'is', null) : is('terminal', '=', terminal),
        lane === null ? is('lane', 'is', null) : is('lane', '=', lane),
      ]),
    )
}

/**
 * The instant of a report, moved by milliseconds if another report of the lane has the same one: the key of a reading in the
 * warehouse is its source, place and instant, and both reports must be kept.
 */
async function freeInstant(db: Kysely<StateTables>, checked: CheckedReport): Promise<string> {
  let instant = Date.parse(checked.observed_at)
  const rows = await reportsOfLane(db, checked, instant).execute()
  const taken = new Set(rows.map((row) => Date.parse(row.observed_at)))
  while (taken.has(instant)) instant += 1
  return new Date(instant).toISOString()
}

/**
 * The reports of the same account and lane within ten minutes, and the latest instant among all of them. The new report gets
 * that instant, because the newest reading of a lane is used and a landed report must not outlive its correction.
 */
async function earlierReports(db: Kysely<StateTables>, report: CheckedReport) {
  const { correction_ms } = REPORT_RULES
  const found = new Map<string, WaitReportRow>()
  let { observed_at } = report
  for (;;) {
    const observed_ms = Date.parse(observed_at)
    const within = await reportsOfLane(db, report, observed_ms - correction_ms)
      .where('account_id', '=', report.account_id)
      .where('observed_at', '<=', new Date(observed_ms + correction_ms).toISOString())
      .where('status', 'in', ['accepted', 'held'])
      .orderBy('observed_at')
      .execute()
    const added = within.filter(({ id }) => !found.has(id))
    const latest = added.at(-1)
    if (!latest) return { earlier: [...found.values()], observed_at }
    for (const row of added) found.set(row.id, row)
    if (Date.parse(latest.observed_at) > observed_ms) observed_at = latest.observed_at
  }
}

async function markReplaced(db: Kysely<StateTables>, reports: WaitReportRow[]): Promise<void> {
  const ids = reports.map(({ id }) => id)
  if (ids.length === 0) return
  await db.updateTable('wait_reports').set({ status: 'replaced' }).where('id', 'in', ids).execute()
}

/**
 * Finds the reports of other accounts that agree with a report. If there are any, accepts the report and the held ones among
 * them; each accepted one replaces the earlier reports of its account. Returns how many agree.
 */
async function acceptAgreeing(db: Kysely<StateTables>, report: WaitReportRow): Promise<number> {
  const others = await reportsOfLane(db, report, Date.parse(report.observed_at) - REPORT_RULES.agree_ms)
    .where('account_id', '<>', report.account_id)
    .where('status', 'in', ['accepted', 'held'])
    .execute()
  const agreeing = others.filter((other) => agrees(report as ReportedWait, other as ReportedWait))
  if (agreeing.length === 0) return 0
  for (const held of [report, ...agreeing].filter(({ status }) => status === 'held')) {
    const { earlier } = await earlierReports(db, held)
    const replaced = earlier.filter(({ id }) => id !== held.id)
    await markReplaced(db, replaced)
    const accepted = { status: 'accepted', reason: null }
    await db.updateTable('wait_reports').set(accepted).where('id', '=', held.id).where('status', '=', 'held').execute()
  }
  return agreeing.length
}
