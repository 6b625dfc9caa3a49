import { Lane, QueueKind } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { futureFrom } from '../state/from-future.ts'
import type { State } from '../state/state.ts'
import { REPORT_RULES, UNMATCHED } from './report-rules.ts'
import { matchTerminal } from './terminal-name.ts'

/**
 * The accepted reports of an airport from the last 24 hours, newest first, and the number of held ones. They come from the
 * state, so that a report is visible as soon as it is filed, and carry nothing about their account.
 */
export async function recentReports(
  { db }: Pick<State, 'db'>,
  { iata, queue, limit }: { iata: string; queue: QueueKind | null; limit: number },
  { snapshot, now }: { snapshot: Snapshot; now: number },
) {
  const recent = db
    .selectFrom('wait_reports')
    .where('iata', '=', iata)
    .where('observed_at', '>', new Date(now - REPORT_RULES.shown_ms).toISOString())
    // Reports made while the clock was ahead must not stay the newest.
    .where('observed_at', '<=', futureFrom(now))
    .$if(queue !== null, (reports) => reports.where('queue', '=', queue ?? ''))
  const rows = await recent
    .where('status', '=', 'accepted')
    .select(['queue', 'terminal', 'lane', 'wait_minutes', 'observed_at', 'landed_at'])
    .orderBy('observed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { held } = await recent
    .where('status', 'in', ['held', UNMATCHED])
    .select((is) => is.fn.countAll().as('held'))
    .executeTakeFirstOrThrow()
  const reports = rows.flatMap(({ queue, lane, terminal, ...row }) => {
    // Earlier releases stored the traveller's own words as the terminal.
    const known = terminal === null ? null : matchTerminal(terminal, iata, snapshot)
    if (terminal !== null && known === null) return []
    const place = {
      iata,
      queue: QueueKind.parse(queue),
      terminal: known,
      lane: lane === null ? null : Lane.parse(lane),
    }
    return { ...row, ...place }
  })
  return { reports, held: Number(held) + rows.length - reports.length }
}
