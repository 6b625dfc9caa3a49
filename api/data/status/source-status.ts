import { z } from 'zod'
import { Instant } from '../../../config/facts.ts'
import { allSources, Source } from '../../../config/sources.ts'
import { HEALTH_WINDOWS } from '../../../warehouse/serving/health/run-evidence.ts'
import { SOURCE_STATES } from '../../../warehouse/serving/health/source-state.ts'
import type { SourceHealth } from '../../../warehouse/serving/published/source-health.ts'
import { publicCode, publicReason } from './public-reason.ts'

const count = z.int().min(0)
/** Rounded down: a share of 1 then means every run, not nearly every. */
const share = z
  .number()
  .overwrite((value) => Math.floor(value * 1_000 + 1e-6) / 1_000)
  .min(0)
  .max(1)
const instant = Instant.nullable()
const age = count.nullable().describe('Seconds from then until `checked_at`.')
const { name, kind, airports, publisher, cadence_seconds, attribution } = Source.shape

export const SourceStatus = z
  .strictObject({
    source: z.string().describe('Id of the source.'),
    name,
    kind: kind.describe('What it tells of.'),
    airports: airports.describe('Airports it tells of; none where it tells of a whole region.'),
    publisher: publisher.describe('How near to the queue the publisher stands.'),
    cadence_seconds: cadence_seconds.describe('Seconds between two runs.'),
    state: z
      .enum(SOURCE_STATES)
      .describe(
        'degraded: it answers, but not as usual; failing: its last runs failed; open_circuit: asked only now and then, having failed so often; not_asked: on, but never run yet.',
      ),
    since: instant.describe('When it came into this state; null when it was never in another.'),
    reason: z.string().nullable().describe('Why it is in this state; null when it is healthy.'),
    error_code: z.string().nullable().describe('Code of its last failure; null unless it is failing.'),
    last_success_at: instant.describe('When it last answered readably.'),
    last_success_age_seconds: age,
    newest_observed_at: instant.describe('The newest time that its content claims.'),
    newest_observed_age_seconds: age,
    content_changed_at: instant.describe('When its content last changed.'),
    content_changed_age_seconds: age,
    rows: count.nullable().describe('Rows of its last good run.'),
    usual_rows: z.number().min(0).nullable().describe('Median rows of its runs of the last days.'),
    windows: z.array(
      z.strictObject({
        hours: z.literal([...HEALTH_WINDOWS]),
        runs: count,
        uptime: share.nullable().describe('Share of runs that answered and could be read; null without a run.'),
        freshness: share
          .nullable()
          .describe(
            'Share of the observed time in which a reading under an hour old (a cadence, where that is longer) was at hand; null before the first run.',
          ),
      }),
    ),
    attribution,
  })
  .meta({ id: 'SourceStatus', description: 'How one source is doing.' })
export type SourceStatus = z.output<typeof SourceStatus>

/** Sources of a snapshot as anyone may see them, ages as of `now` (epoch ms). Those the catalogue no longer has are left out. */
export function sourceStatuses(health: readonly SourceHealth[], now: number): z.input<typeof SourceStatus>[] {
  const catalogue = new Map(allSources().map((source) => [source.id, source]))
  const age = (at: string | null) => (at === null ? null : Math.max(0, Math.round((now - Date.parse(at)) / 1_000)))
  return health.flatMap((one) => {
    const source = catalogue.get(one.source)
    if (!source) return []
    const { name, kind, airports, publisher, cadence_seconds, attribution } = source
    const { state, since, last_success_at, newest_observed_at, content_changed_at, rows, usual_rows, windows } = one
    return {
      source: source.id,
      name,
      kind,
      airports,
      publisher,
      cadence_seconds,
      state,
      since,
      reason: publicReason(one, source),
      error_code: publicCode(one),
      last_success_at,
      last_success_age_seconds: age(last_success_at),
      newest_observed_at,
      newest_observed_age_seconds: age(newest_observed_at),
      content_changed_at,
      content_changed_age_seconds: age(content_changed_at),
      rows,
      usual_rows,
      windows,
      attribution,
    }
  })
}
