import { HoldshortError } from '../../config/errors.ts'
import { Lane, QueueKind } from '../../config/vocabulary.ts'
import type { CallClient } from '../../jobs/calls/define-call.ts'
import { MAX_REPORTS_PER_BATCH, reportsCall, type WaitReport } from '../../jobs/calls/reports.ts'
import type { PeriodicTask } from '../dependencies.ts'
import type { State } from '../state/state.ts'
import type { WaitReportRow } from '../state/tables.ts'
import type { ReportStatus } from './report-rules.ts'

/** Hands reports to the pipeline, which lands them in the warehouse or removes them. They wait while no pipeline runs. */
export const handOverReportsTask: PeriodicTask = {
  name: 'hand-over-reports',
  every_ms: 10_000,
  run: async ({ state, pipelineClient }, now) => {
    if (pipelineClient) await handOverReports(state, pipelineClient, now)
  },
}

/**
 * Hands to the pipeline the accepted reports that have not landed and the landed ones that count no more, oldest first, and records
 * what it has done; returns of how many reports. If a process ends in between, they are handed over again, which changes nothing.
 */
export async function handOverReports(
  { db }: Pick<State, 'db'>,
  pipelineClient: CallClient,
  now: number,
): Promise<number> {
  const oldestFirst = db.selectFrom('wait_reports').selectAll().orderBy('filed_at').limit(MAX_REPORTS_PER_BATCH)
  const waiting = await oldestFirst.where('status', '=', 'accepted').where('landed_at', 'is', null).execute()
  const leaving = await oldestFirst.where('status', 'in', LEAVING).where('landed_at', 'is not', null).execute()
  if (waiting.length + leaving.length === 0) return 0
  const removed = leaving.map(({ id, observed_at }) => ({ id, observed_at }))
  const batch = { reports: waiting.map(withoutAccount), removed }
  const receipt = await pipelineClient.call(reportsCall, batch).catch((error) => {
    if (error instanceof HoldshortError && error.code === 'LIVE_UNAVAILABLE') return null
    throw error
  })
  if (receipt === null) return 0
  const record = (ids: string[], landed_at: string | null) =>
    ids.length === 0 ? null : db.updateTable('wait_reports').set({ landed_at }).where('id', 'in', ids).execute()
  await record(receipt.landed, new Date(now).toISOString())
  await record(receipt.removed, null)
  return receipt.landed.length + receipt.removed.length
}

/** Reports that may have landed and count no more. */
const LEAVING: ReportStatus[] = ['replaced', 'superseded', 'held', 'withdrawn']

/** The report for the pipeline: nothing that identifies the account leaves the state. */
function withoutAccount({ id, iata, queue, terminal, lane, ...row }: WaitReportRow): WaitReport {
  const { wait_minutes, observed_at, filed_at } = row
  return {
    id,
    iata,
    queue: QueueKind.parse(queue),
    terminal: terminal ?? '',
    lane: Lane.parse(lane ?? 'all'),
    wait_minutes,
    observed_at,
    filed_at,
  }
}
