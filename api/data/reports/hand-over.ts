import { Lane, QueueKind } from '../../../config/domain.ts'
import { HoldshortError } from '../../../config/errors.ts'
import type { CallClient } from '../../../jobs/calls/define-call.ts'
import { MAX_REPORTS_PER_BATCH, reportsCall, type WaitReport } from '../../../jobs/calls/reports.ts'
import type { State } from '../../state/state.ts'
import type { WaitReportRow } from '../../state/tables.ts'
import type { PeriodicTask } from '../dependencies.ts'

/** Hands accepted reports to the pipeline, which lands them in the warehouse. Reports wait while no pipeline runs. */
export const handOverReportsTask: PeriodicTask = {
  name: 'hand-over-reports',
  every_ms: 10_000,
  run: async ({ state, pipelineClient }, now) => {
    if (pipelineClient) await handOverReports(state, pipelineClient, now)
  },
}

/**
 * Hands the accepted reports that have not landed to the pipeline, oldest first, and records those that it has landed;
 * returns how many. If a process ends in between, they are handed over again, and the pipeline lands each only once.
 */
export async function handOverReports(
  { db }: Pick<State, 'db'>,
  pipelineClient: CallClient,
  now: number,
): Promise<number> {
  const waiting = await db
    .selectFrom('wait_reports')
    .selectAll()
    .where('status', '=', 'accepted')
    .where('landed_at', 'is', null)
    .orderBy('filed_at')
    .limit(MAX_REPORTS_PER_BATCH)
    .execute()
  if (waiting.length === 0) return 0
  const landed = await pipelineClient.call(reportsCall, { reports: waiting.map(withoutAccount) }).then(
    (receipt) => receipt.landed,
    (error) => {
      if (error instanceof HoldshortError && error.code === 'LIVE_UNAVAILABLE') return []
      throw error
    },
  )
  if (landed.length === 0) return 0
  const landed_at = new Date(now).toISOString()
  await db.updateTable('wait_reports').set({ landed_at }).where('id', 'in', landed).execute()
  return landed.length
}

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
