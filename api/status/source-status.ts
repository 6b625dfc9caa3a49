import { z } from 'zod'
import { Instant } from '../../config/answer-schemas.ts'
import { ERROR_CODES } from '../../config/errors.ts'
import { allSources, Source } from '../../config/sources.ts'
import { ageSeconds } from '../../config/vocabulary.ts'
import { HEALTH_WINDOWS, SOURCE_STATES, type SourceHealth } from '../../warehouse/publishing/read/source-health.ts'

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
    kind: kind.describe('Kind of figures it publishes.'),
    airports: airports.describe('Airports it covers; empty if it covers a whole region.'),
    publisher: publisher.describe('How close the publisher is to the queue.'),
    cadence_seconds: cadence_seconds.describe('Seconds between two runs.'),
    state: z
      .enum(SOURCE_STATES)
      .describe(
        'degraded: it answers, but not as usual; failing: its last runs failed; open_circuit: requested only occasionally because it failed too often; not_asked: on, but never requested yet.',
      ),
    since: instant.describe('When it came into this state; null when it was never in another.'),
    reason: z.string().nullable().describe('Why it is in this state; null when it is healthy.'),
    error_code: z.string().nullable().describe('Code of its last failure; null unless it is failing.'),
    last_success_at: instant.describe('When it last answered with readable content.'),
    last_success_age_seconds: age,
    newest_observed_at: instant.describe('The newest time in its content.'),
    newest_observed_age_seconds: age,
    content_changed_at: instant.describe('When its content last changed.'),
    content_changed_age_seconds: age,
    rows: count.nullable().describe('Rows of its last successful run.'),
    usual_rows: z.number().min(0).nullable().describe('Median number of rows of its recent runs.'),
    windows: z.array(
      z.strictObject({
        hours: z.literal([...HEALTH_WINDOWS]),
        runs: count,
        uptime: share.nullable().describe('Share of runs that answered and could be read; null without a run.'),
        freshness: share
          .nullable()
          .describe(
            'Share of the observed time in which a reading under an hour old (or under one cadence, if longer) was available; null before the first run.',
          ),
      }),
    ),
    days: z
      .array(share.nullable())
      .describe(
        'Uptime of each of the last 30 UTC days, the oldest first, today last; null without a run; empty before the first.',
      ),
    attribution,
  })
  .meta({ id: 'SourceStatus', description: 'The state of one source.' })
export type SourceStatus = z.output<typeof SourceStatus>

/** The public state of a snapshot's sources, ages as of `now` (epoch ms), without sources that are no longer in the catalogue. */
export function sourceStatuses(health: readonly SourceHealth[], now: number): z.input<typeof SourceStatus>[] {
  const catalogue = new Map(allSources().map((source) => [source.id, source]))
  const ageOf = (instant: string | null) => (instant === null ? null : ageSeconds(instant, now))
  return health.flatMap((sourceHealth) => {
    const source = catalogue.get(sourceHealth.source)
    if (!source) return []
    const { name, kind, airports, publisher, cadence_seconds, attribution } = source
    const { last_error_code: _code, last_error_message: _message, days = [], ...published } = sourceHealth
    return {
      ...published,
      name,
      kind,
      airports,
      publisher,
      cadence_seconds,
      attribution,
      days,
      reason: publicReason(sourceHealth, source),
      error_code: publicCode(sourceHealth),
      last_success_age_seconds: ageOf(published.last_success_at),
      newest_observed_age_seconds: ageOf(published.newest_observed_at),
      content_changed_age_seconds: ageOf(published.content_changed_at),
    }
  })
}

/** The reason of a failure, for people, by its error code. */
const FAILURE_TEXTS: Record<string, string> = {
  FETCH_FAILED: 'the site could not be reached',
  SITE_UNREACHABLE: 'the site could not be reached',
  FETCH_REFUSED: 'the site refused our requests, so we stopped',
  FETCH_TOO_LARGE: 'the site sent far more bytes than expected',
  ROBOTS_DISALLOWED: 'the site asks robots not to read it',
  CIRCUIT_OPEN: 'it failed several times in a row, so it is not requested for a while',
  BROWSER_UNAVAILABLE: 'it needs a browser, and none could be started here',
  PARSE_FAILED: 'the format of the site has changed',
}

/** The error code of a failing source, if it is a documented one. */
function publicCode({ state, last_error_code: code }: SourceHealth): string | null {
  const failed = state === 'failing' || state === 'open_circuit'
  return failed && code !== null && Object.hasOwn(ERROR_CODES, code) ? code : null
}

/**
 * Why a source is in its state, for the public; null when it is healthy. The message of a failure is only for the operator
 * (`holdshort sources`), because it can contain addresses and paths of the server.
 */
function publicReason(health: SourceHealth, { why_off }: Source): string | null {
  const code = publicCode(health)
  const failure =
    code === null ? 'it did not answer as expected' : (FAILURE_TEXTS[code] ?? 'something went wrong on our side')
  switch (health.state) {
    case 'healthy':
      return null
    case 'degraded':
      return health.reason
    case 'failing':
      return `The last run failed: ${failure}.`
    case 'open_circuit':
      return `Requested only occasionally, because it failed too often: ${failure}.`
    case 'not_asked':
      return 'It has not been requested yet.'
    case 'off':
      return why_off
  }
}
