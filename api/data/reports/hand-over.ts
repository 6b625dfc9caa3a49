import { Lane, QueueKind } from '../../../config/domain.ts'
import { HoldshortError } from '../../../config/errors.ts'
import type { CallClient } from '../../../jobs/calls/define-call.ts'
import { MAX_REPORTS_PER_BATCH, reportsCall, type WaitReport } from '../../../jobs/calls/reports.ts'
import type { State } from '../../state/state.ts'
import type { WaitReportRow } from '../../state/tables.ts'

/**
 * Hands the accepted reports that have not landed to the pipeline, oldest first, and notes those that it says have; returns
 * how many. Without a pipeline they wait. Whoever dies in between: they are handed over again, and land once.
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
  const landed = await pipelineClient.call(reportsCall, { reports: waiting.map(asHandedOver) }).then(
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

/** Without the account: nothing of whose it is leaves the state. */
function asHandedOver({ id, iata, queue, terminal, lane, ...row }: WaitReportRow): WaitReport {
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
