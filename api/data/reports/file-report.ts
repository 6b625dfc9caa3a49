import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Snapshot } from '../../../warehouse/serving/snapshot/types.ts'
import type { State } from '../../state/state.ts'
import type { StateTables, WaitReportRow } from '../../state/tables.ts'
import { agrees, implausible, type SaidWait } from './plausibility.ts'
import { checkReportLimits } from './report-limits.ts'
import { REPORT_RULES } from './report-rules.ts'

/** A report as its finder has judged it: what it says, whose it is, whether it is held. */
export type JudgedReport = Omit<WaitReportRow, 'id' | 'filed_at' | 'landed_at'>

/** What came of a report. */
export interface FiledReport {
  report: WaitReportRow
  /** Earlier reports of the same account that it takes the place of. */
  replaced: number
  /** Reports of other accounts that agree with it. */
  agreeing: number
}

/**
 * Files a traveller's report: within the limits, in place of what the same account said of the same lane within ten minutes,
 * held where it is implausible, let go where another account agrees. It is on the disk when this returns.
 * @throws RateLimitedError
 */
export async function fileReport(
  { db }: Pick<State, 'db'>,
  said: SaidWait,
  account_id: string,
  { snapshot, now }: { snapshot: Snapshot; now: number },
): Promise<FiledReport> {
  const reason = implausible(said, snapshot)
  const judged: JudgedReport = { ...said, account_id, status: reason === null ? 'accepted' : 'held', reason }
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction)
    await checkReportLimits(transaction, account_id, said.iata, now)
    const { before, observed_at } = await saidBefore(transaction, judged)
    // A held report does not yet take the place of one that counts.
    const replaced = before.filter(({ status }) => reason === null || status === 'held')
    await replace(transaction, replaced)
    const report = await keepReport({ db: transaction }, { ...judged, observed_at }, now)
    const agreeing = await letGoWhatAgrees(transaction, report)
    const status = agreeing > 0 ? { status: 'accepted', reason: null } : {}
    return { report: { ...report, ...status }, replaced: replaced.length, agreeing }
  })
}

/** Reports are filed one after the other, in all processes: each is counted, compared and placed with those before it. */
async function takeTurn(db: Kysely<StateTables>): Promise<void> {
  await db
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 3)
    .execute()
}

/** Keeps a judged report as it is; it is on the disk when this returns. */
export async function keepReport({ db }: Pick<State, 'db'>, judged: JudgedReport, now: number): Promise<WaitReportRow> {
  const observed_at = await freeInstant(db, judged)
  const filed_at = new Date(now).toISOString()
  const row = { ...judged, observed_at, id: `report_${randomUUID()}`, filed_at, landed_at: null }
  await db.insertInto('wait_reports').values(row).execute()
  return row
}

/** Reports of one lane of an airport from an instant on. */
function ofLane(db: Kysely<StateTables>, { iata, queue, terminal, lane }: JudgedReport, from_ms: number) {
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
 * The warehouse knows a reading by its source, place and instant: where two travellers name the same one, the later report
 * is moved by the millisecond that nobody's watch shows, so that both are kept.
 */
async function freeInstant(db: Kysely<StateTables>, judged: JudgedReport): Promise<string> {
  let instant = Date.parse(judged.observed_at)
  const taken = new Set((await ofLane(db, judged, instant).execute()).map((row) => Date.parse(row.observed_at)))
  while (taken.has(instant)) instant += 1
  return new Date(instant).toISOString()
}

/**
 * What an account has said of a lane within ten minutes of a report, and the latest instant among all: the newest reading
 * speaks for a lane, so one that has landed must not outlive its correction.
 */
async function saidBefore(db: Kysely<StateTables>, report: JudgedReport) {
  const { same_ms } = REPORT_RULES
  const found = new Map<string, WaitReportRow>()
  let { observed_at } = report
  for (;;) {
    const observed_ms = Date.parse(observed_at)
    const near = await ofLane(db, report, observed_ms - same_ms)
      .where('account_id', '=', report.account_id)
      .where('observed_at', '<=', new Date(observed_ms + same_ms).toISOString())
      .where('status', 'in', ['accepted', 'held'])
      .orderBy('observed_at')
      .execute()
    const more = near.filter(({ id }) => !found.has(id))
    const latest = more.at(-1)
    if (!latest) return { before: [...found.values()], observed_at }
    for (const row of more) found.set(row.id, row)
    if (Date.parse(latest.observed_at) > observed_ms) observed_at = latest.observed_at
  }
}

async function replace(db: Kysely<StateTables>, reports: WaitReportRow[]): Promise<void> {
  const ids = reports.map(({ id }) => id)
  if (ids.length === 0) return
  await db.updateTable('wait_reports').set({ status: 'replaced' }).where('id', 'in', ids).execute()
}

/** Lets a report go, and those held ones of other accounts that agree with it, each in place of what its account said before; returns how many agree. */
async function letGoWhatAgrees(db: Kysely<StateTables>, report: WaitReportRow): Promise<number> {
  const around = await ofLane(db, report, Date.parse(report.observed_at) - REPORT_RULES.agree_ms)
    .where('account_id', '<>', report.account_id)
    .where('status', 'in', ['accepted', 'held'])
    .execute()
  const agreeing = around.filter((other) => agrees(report as SaidWait, other as SaidWait))
  if (agreeing.length === 0) return 0
  for (const held of [report, ...agreeing].filter(({ status }) => status === 'held')) {
    const { before } = await saidBefore(db, held)
    await replace(
      db,
      before.filter(({ id }) => id !== held.id),
    )
    const accepted = { status: 'accepted', reason: null }
    await db.updateTable('wait_reports').set(accepted).where('id', '=', held.id).where('status', '=', 'held').execute()
  }
  return agreeing.length
}
