import { DAY_MS } from '../../config/domain.ts'
import { allSources, type Source } from '../../config/sources.ts'
import type { SourceHealth } from '../snapshot/health-types.ts'
import type { Warehouse } from '../warehouse.ts'

interface LastRuns {
  source: string
  last_success_at: string | null
  last_run_failed: boolean
  last_error_code: string | null
  last_error_message: string | null
}

/** How each source is doing, from its runs of the last day. */
export async function sourceHealth(
  warehouse: Warehouse,
  now: number,
  sources: readonly Source[] = allSources(),
): Promise<SourceHealth[]> {
  const from = new Date(now - DAY_MS).toISOString()
  const rows = await warehouse.query<LastRuns>(
    `SELECT source, max(finished_at) FILTER (WHERE outcome <> 'failed') AS last_success_at,
       arg_max(outcome = 'failed', finished_at) AS last_run_failed,
       arg_max(error_code, finished_at) FILTER (WHERE outcome = 'failed') AS last_error_code,
       arg_max(error_message, finished_at) FILTER (WHERE outcome = 'failed') AS last_error_message
     FROM runs WHERE date >= $day AND finished_at > $from::TIMESTAMPTZ GROUP BY source`,
    { day: from.slice(0, 10), from },
  )
  return sources.map((source) => {
    const row = rows.find((candidate) => candidate.source === source.id)
    return {
      source: source.id,
      state: !source.active ? 'off' : row ? (row.last_run_failed ? 'failing' : 'healthy') : 'not_asked',
      since: null,
      reason: null,
      last_success_at: row?.last_success_at ?? null,
      newest_observed_at: null,
      content_changed_at: null,
      rows: null,
      usual_rows: null,
      last_error_code: row?.last_error_code ?? null,
      last_error_message: row?.last_error_message ?? null,
      windows: [],
    }
  })
}
