import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { RateLimitedError } from '../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import { HOUR_MS, isStandardLane } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { keyedHash } from '../state/key-format.ts'
import { accountDeleted } from '../state/lock-account.ts'
import type { State } from '../state/state.ts'
import type { StateTables, WaitReportRow } from '../state/tables.ts'
import { agreeingNeeded, agrees, implausibleReason } from './plausibility.ts'
import { REPORT_RULES, type ReportedWait, type ReportStatus, UNMATCHED } from './report-rules.ts'
import { confirming, countedReports, isEstablished, oneOfEach, type Reporter, reporterNetwork } from './travellers.ts'

/** A report with its account and the result of the plausibility check, before it is stored. */
export type CheckedReport = Omit<WaitReportRow, 'id' | 'filed_at' | 'landed_at'>

/** A report as it is filed. */
export interface NewReport extends ReportedWait {
  /** The traveller's own words for a terminal that matches no known one; absent or null otherwise. */
  unmatched_terminal?: string | null
}

/** Place and time of a report. */
export interface Filing {
  snapshot: Snapshot
  now: number
  /** Network address of the reporter, where it is known. Only the keyed hash of its network is stored, for two days. */
  address?: string | null
}

/** The result of filing a report. */
export interface FiledReport {
  report: WaitReportRow
  /** Number of earlier reports of the same account that it replaces. */
  replaced: number
  /** Number of other travellers whose reports agree with it. */
  agreeing: number
}

/**
 * Files a traveller's report within the limits. It replaces the reports of the same account and lane within ten minutes; it
 * is held if it is implausible, and accepted if enough travellers agree. A report of a terminal that matches no
 * known one is stored apart: it is compared with nothing and replaces nothing. It is committed when this returns.
 * @throws RateLimitedError; HoldshortError NOT_FOUND for an account that was deleted since the caller was admitted
 */
export async function fileReport(
  { db, pepper }: Pick<State, 'db' | 'pepper'>,
  { unmatched_terminal = null, ...reported }: NewReport,
  account_id: string,
  { snapshot, now, address = null }: Filing,
): Promise<FiledReport> {
  const network = reporterNetwork(address)
  const network_hash = network === null ? null : keyedHash(`reporter ${network}`, pepper)
  const filed = { ...reported, account_id, network_hash }
  return db.transaction().execute(async (transaction) => {
    await lockReports(transaction)
    const { created_at } = await transaction
      .selectFrom('accounts')
      .select('created_at')
      .where('id', '=', account_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(accountDeleted)
    await checkReportLimits(transaction, filed, now)
    if (unmatched_terminal !== null) return holdUnmatched(transaction, filed, unmatched_terminal, now)
    const filed_at = new Date(now).toISOString()
    const reason = implausibleReason(reported, snapshot, isEstablished({ filed_at, created_at }))
    const checked: CheckedReport = { ...filed, status: reason === null ? 'accepted' : 'held', reason }
    const { earlier, observed_at } = await earlierReports(transaction, checked)
    // A held report must not replace one that counts.
    const replaced = earlier.filter(({ status }) => reason === null || status === 'held')
    await setStatus(transaction, replaced, 'replaced')
    const { id } = await insertReport({ db: transaction }, { ...checked, observed_at }, now)
    const agreeing = await acceptAgreeing(transaction, id, checked)
    await countVoices(transaction, checked)
    const report = await transaction
      .selectFrom('wait_reports')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { report, replaced: replaced.length, agreeing }
  })
}

/** Stores a report with the traveller's own words for the terminal. No other account can make it count. */
async function holdUnmatched(
  db: Kysely<StateTables>,
  filed: Omit<CheckedReport, 'status' | 'reason'>,
  terminal: string,
  now: number,
): Promise<FiledReport> {
  const reason = 'no terminal of the airport is known by that name'
  const report = await insertReport({ db }, { ...filed, terminal, status: UNMATCHED, reason }, now)
  return { report, replaced: 0, agreeing: 0 }
}

/** Serializes the filing of reports across all processes, so that each is counted and compared with all before it. */
export async function lockReports(db: Kysely<StateTables>): Promise<void> {
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
  { account_id, iata }: Pick<CheckedReport, 'account_id' | 'iata'>,
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
  const airportReports = newestFirst.filter((report) => report.iata === iata)
  checkLimit(airportReports, per_airport_hour, 'reports_airport', `reports of ${iata}`, now)
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

type Lane = Pick<WaitReportRow, 'iata' | 'queue' | 'terminal' | 'lane'>

/** Selects the reports of one queue of an airport from an instant on. */
function reportsOfQueue(db: Kysely<StateTables>, { iata, queue }: Pick<Lane, 'iata' | 'queue'>, from_ms: number) {
  return db
    .selectFrom('wait_reports')
    .selectAll('wait_reports')
    .where('iata', '=', iata)
    .where('queue', '=', queue)
    .where('observed_at', '>=', new Date(from_ms).toISOString())
}

/** Selects the reports of one lane of an airport from an instant on. */
function reportsOfLane(db: Kysely<StateTables>, place: Lane, from_ms: number) {
  const { terminal, lane } = place
  return reportsOfQueue(db, place, from_ms).where((is) =>
    is.and([
      terminal === null ? is('terminal', 'is', null) : is('terminal', '=', terminal),
      lane === null ? is('lane', 'is', null) : is('lane', '=', lane),
    ]),
  )
}

const isForEverybody = ({ lane }: { lane: string | null }) => isStandardLane(lane ?? 'all')

/** Selects the reports that are counted together with those of a lane: of all lanes for everybody, else of the lane itself. */
function reportsCountedWith(db: Kysely<StateTables>, place: Lane, from_ms: number) {
  if (!isForEverybody(place)) return reportsOfLane(db, place, from_ms)
  return reportsOfQueue(db, place, from_ms).where((is) =>
    is.or([is('lane', 'is', null), is('lane', 'in', ['all', 'standard'])]),
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
      .where('status', 'in', ['accepted', 'superseded', 'held'])
      .orderBy('observed_at')
      .execute()
    const added = within.filter(({ id }) => !found.has(id))
    const latest = added.at(-1)
    if (!latest) return { earlier: [...found.values()], observed_at }
    for (const row of added) found.set(row.id, row)
    if (Date.parse(latest.observed_at) > observed_ms) observed_at = latest.observed_at
  }
}

async function setStatus(db: Kysely<StateTables>, reports: { id: string }[], status: ReportStatus): Promise<void> {
  const ids = reports.map(({ id }) => id)
  if (ids.length === 0) return
  await db.updateTable('wait_reports').set({ status }).where('id', 'in', ids).execute()
}

type SelectedReports = ReturnType<typeof reportsOfQueue>

/** Some reports with the age of their accounts. */
function withAge(reports: SelectedReports, statuses: ReportStatus[]) {
  return reports
    .innerJoin('accounts', 'accounts.id', 'wait_reports.account_id')
    .where('status', 'in', statuses)
    .select('accounts.created_at as created_at')
    .execute()
}

const isAgreeing = (a: WaitReportRow, b: WaitReportRow) => agrees(a as ReportedWait, b as ReportedWait)

/** Whether enough travellers among the reports of a lane confirm one that is far from what is known. */
function isConfirmed(report: WaitReportRow, near: readonly (WaitReportRow & Reporter)[]): boolean {
  const agreeing = near.filter((other) => isAgreeing(other, report))
  return report.reason === null || confirming(agreeing) >= agreeingNeeded(report.reason)
}

const STANDING: ReportStatus[] = ['accepted', 'superseded', 'held']

/**
 * Accepts the held reports of a lane, the new one among them, with which enough travellers agree; each replaces the earlier reports of
 * its account. Returns how many other travellers agree with the new one.
 */
async function acceptAgreeing(db: Kysely<StateTables>, id: string, lane: CheckedReport): Promise<number> {
  const from = Date.parse(lane.observed_at) - 2 * REPORT_RULES.agree_ms
  const near = await withAge(reportsOfLane(db, lane, from), STANDING)
  const own = near.find((report) => report.id === id)
  if (!own) return 0
  for (const held of near) {
    if (held.status !== 'held' || !isAgreeing(held, own) || !isConfirmed(held, near)) continue
    const { earlier } = await earlierReports(db, held)
    await setStatus(
      db,
      earlier.filter((report) => report.id !== held.id),
      'replaced',
    )
    await setStatus(db, [held], 'accepted')
  }
  const others = near.filter((other) => other.account_id !== own.account_id && isAgreeing(other, own))
  return oneOfEach(others.filter(({ network_hash }) => network_hash === null || network_hash !== own.network_hash))
    .length
}

/** Decides anew about the reports of a lane near one that was withdrawn: those that only it confirmed are held again. */
export async function reconsiderLane(db: Kysely<StateTables>, withdrawn: WaitReportRow): Promise<void> {
  const from = Date.parse(withdrawn.observed_at) - 2 * REPORT_RULES.agree_ms
  const near = await withAge(reportsOfLane(db, withdrawn, from), STANDING)
  const doubtful = near.filter((report) => report.status !== 'held' && !isConfirmed(report, near))
  await setStatus(db, doubtful, 'held')
  await countVoices(db, withdrawn)
}

/**
 * Decides which plausible reports count beside those of a lane: of those within an hour of the newest, one of each traveller. The lanes for
 * everybody are counted together, at all terminals, because the figure of the airport is made of them.
 */
async function countVoices(db: Kysely<StateTables>, lane: Lane & { observed_at: string }): Promise<void> {
  const { counted_ms } = REPORT_RULES
  const around = await withAge(reportsCountedWith(db, lane, Date.parse(lane.observed_at) - counted_ms), [
    'accepted',
    'superseded',
  ])
  const newest = Math.max(...around.map(({ observed_at }) => Date.parse(observed_at)))
  const recent = around.filter(({ observed_at }) => newest - Date.parse(observed_at) < counted_ms)
  const counted = new Set(countedReports(recent))
  const changed = (status: ReportStatus) => recent.filter((report) => report.status !== status)
  await setStatus(
    db,
    changed('accepted').filter((report) => counted.has(report)),
    'accepted',
  )
  await setStatus(
    db,
    changed('superseded').filter((report) => !counted.has(report)),
    'superseded',
  )
}
