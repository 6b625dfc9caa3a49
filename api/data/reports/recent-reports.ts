import { Lane, QueueKind } from '../../../config/domain.ts'
import type { State } from '../../state/state.ts'
import { REPORT_RULES } from './report-rules.ts'

/**
 * The accepted reports of an airport that are at most a day old, newest first, and how many of that day are held. They are
 * read from the state, so that a report is seen as soon as it is filed. Nothing of whose they are comes with them.
 */
export async function recentReports(
  { db }: Pick<State, 'db'>,
  { iata, queue, limit }: { iata: string; queue: QueueKind | null; limit: number },
  now: number,
) {
  const of = db
    .selectFrom('wait_reports')
    .where('iata', '=', iata)
    .where('observed_at', '>', new Date(now - REPORT_RULES.shown_ms).toISOString())
    .$if(queue !== null, (reports) => reports.where('queue', '=', queue ?? ''))
  const rows = await of
    .where('status', '=', 'accepted')
    .select(['queue', 'terminal', 'lane', 'wait_minutes', 'observed_at', 'landed_at'])
    .orderBy('observed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { held } = await of
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
