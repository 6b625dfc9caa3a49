import { Lane, QueueKind } from '../../../config/domain.ts'
import type { State } from '../../state/state.ts'
import { REPORT_RULES } from './report-rules.ts'

/**
 * The accepted reports of an airport from the last 24 hours, newest first, and the number of held ones. They come from the
 * state, so that a report is visible as soon as it is filed, and carry nothing about their account.
 */
export async function recentReports(
  { db }: Pick<State, 'db'>,
  { iata, queue, limit }: { iata: string; queue: QueueKind | null; limit: number },
  now: number,
) {
  const recent = db
    .selectFrom('wait_reports')
    .where('iata', '=', iata)
    .where('observed_at', '>', new Date(now - REPORT_RULES.shown_ms).toISOString())
    .$if(queue !== null, (reports) => reports.where('queue', '=', queue ?? ''))
  const rows = await recent
    .where('status', '=', 'accepted')
    .select(['queue', 'terminal', 'lane', 'wait_minutes', 'observed_at', 'landed_at'])
    .orderBy('observed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { held } = await recent
    .where('status', '=', 'held')
    .select((is) => is.fn.countAll().as('held'))
    .executeTakeFirstOrThrow()
  const reports = rows.map(({ queue, lane, ...row }) => ({
    ...row,
    iata,
    queue: QueueKind.parse(queue),
    lane: lane === null ? null : Lane.parse(lane),
  }))
  return { reports, held: Number(held) }
}
