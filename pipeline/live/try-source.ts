import type { QueueWait } from '../../config/answer-schemas.ts'
import { ERROR_CODES, type ErrorCode, HoldshortError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { DAY_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import type { LiveAttempt, LiveRequest } from '../../jobs/calls/live.ts'
import type { Release } from '../../jobs/redis/lock.ts'
import { latestReadings, queueWait } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import type { CollectContext } from '../collecting/collect-context.ts'
import type { RequestResult, SourceRuns } from '../collecting/source-runs.ts'

export interface LiveContext {
  collect: Pick<CollectContext, 'warehouse' | 'now'>
  runs: SourceRuns
  sources: readonly Source[]
  /** A source that answered less than this long ago is not requested again. */
  min_age_seconds: number
  /** Milliseconds that all sources of a request have together. */
  within_ms: number
  /** If several machines share the work: locks a source for this one; null while another machine holds it. */
  lock?: (source: string) => Promise<Release | null>
}

/** The result of one source: a wait or closure that may be shown as current, or the reason why there is none. */
export interface SourceAttempt extends LiveAttempt {
  outcome: 'scraped' | 'recent'
  wait: QueueWait | null
}

type AttemptResult = Pick<SourceAttempt, 'wait' | 'code' | 'message'>

/** How often to try again for a lock that another machine holds. */
const LOCK_RETRY_MS = 200

/** The public text of a fault: the message of a source's fault, but only the title of one of our own. */
export function publicFault(code: string, message: string): Pick<LiveAttempt, 'code' | 'message'> {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'INTERNAL'
  const { status, title } = ERROR_CODES[known]
  return { code: known, message: status === 502 && known !== 'BROWSER_UNAVAILABLE' ? message : title }
}

/**
 * Gets the wait of one airport from one source: from a run that ended recently, a run in progress, or a run of its own, which is
 * the only one on all machines. New readings have landed before this resolves. Never throws.
 */
export async function trySource(source: Source, request: LiveRequest, context: LiveContext): Promise<SourceAttempt> {
  const from = performance.now()
  const attempt = (outcome: SourceAttempt['outcome'], result: AttemptResult): SourceAttempt => ({
    outcome,
    source: source.id,
    ...result,
    milliseconds: Math.round(performance.now() - from),
  })
  const { runs, lock, within_ms } = context
  const scraped = (results: RequestResult[]) =>
    attempt('scraped', scrapeResult(results, request, context.collect.now()))
  try {
    for (;;) {
      const recent = await recentResult(source, request, context)
      if (recent) return attempt('recent', recent)
      const joined = await runs.join(source, request.iata)
      if (joined) return scraped(joined)
      if (!lock) return scraped(await runs.collectAirport(source, request.iata))
      const release = await lock(source.id)
      if (release) {
        try {
          const meanwhile = await recentResult(source, request, context)
          return meanwhile ? attempt('recent', meanwhile) : scraped(await runs.collectAirport(source, request.iata))
        } finally {
          await release()
        }
      }
      if (performance.now() - from > within_ms)
        return attempt('scraped', { wait: null, code: 'LIVE_TIMEOUT', message: 'another machine is requesting it' })
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
    }
  } catch (cause) {
    const { code, message } = cause instanceof HoldshortError ? cause : { code: 'INTERNAL', message: '' }
    return attempt('scraped', { wait: null, ...publicFault(code, message) })
  }
}

interface LastRun {
  failed: boolean
  error_code: string | null
  error_message: string | null
  finished_at: string
}

/** The result of the last run, if it is too recent to request the source again; null when the source may be requested. */
async function recentResult(source: Source, request: LiveRequest, context: LiveContext): Promise<AttemptResult | null> {
  const { warehouse, now: clock } = context.collect
  const now = clock()
  const [last] = await warehouse.query<LastRun>(
    `SELECT outcome = 'failed' AS failed, error_code, error_message, finished_at FROM runs
     WHERE date >= $day AND source = $source AND (iata IS NULL OR iata = $iata) AND finished_at <= $now::TIMESTAMPTZ ORDER BY finished_at DESC LIMIT 1`,
    { day: utcDayOf(now - DAY_MS), source: source.id, iata: request.iata, now: isoUtc(now) },
  )
  if (!last) return null
  const age_seconds = (now - Date.parse(last.finished_at)) / 1_000
  // A failure may pass, so it only counts for the pace of the source. The circuit covers a source that keeps failing.
  const hold_seconds = last.failed ? source.pace_seconds : Math.max(context.min_age_seconds, source.pace_seconds)
  if (age_seconds >= hold_seconds) return null
  const when = `it was requested ${Math.max(0, Math.round(age_seconds))} s ago`
  if (last.failed) {
    const { code, message } = publicFault(last.error_code ?? 'INTERNAL', last.error_message ?? '')
    return { wait: null, code, message: `${message} (${when})` }
  }
  const latest = await latestReadings(warehouse, now, request.iata)
  const own = latest.filter((reading) => reading.source === source.id && reading.kind === request.kind)
  const wait = currentWait(own, now)
  return { wait, code: null, message: hasFigure(wait) ? when : `gave no figure when ${when}` }
}

/** The result of a run: only its own readings count, and none that a check has flagged. */
function scrapeResult(results: RequestResult[], request: LiveRequest, now: number): AttemptResult {
  const own = results
    .flatMap(({ rows }) => rows as Reading[])
    .filter(({ iata, kind }) => iata === request.iata && kind === request.kind)
  const wait = currentWait(
    own.filter(({ flags, status }) => flags.length === 0 || (status === 'closed' && flags.join() === 'wait_on_closed')),
    now,
  )
  if (hasFigure(wait)) return { wait, code: null, message: 'answered' }
  const error = results.find(({ outcome }) => outcome.error)?.outcome.error
  if (error && own.length === 0) return { wait: null, ...publicFault(error.code, error.message) }
  const newest = own
    .map(({ observed_at }) => observed_at)
    .sort()
    .at(-1)
  const reason =
    newest === undefined
      ? 'no reading of this queue'
      : `newest reading ${newest}: without minutes, too old, or flagged by a check`
  return { wait, code: null, message: `answered, but gave no figure (${reason})` }
}

/** Whether a wait settles the question: it has minutes, or says that the queue is closed. */
export const hasFigure = (wait: QueueWait | null): wait is QueueWait =>
  wait !== null && (wait.average_wait_minutes !== null || wait.status === 'closed')

/** The wait of these readings, unless it is too old to be shown as current. */
function currentWait(readings: Parameters<typeof queueWait>[0], now: number): QueueWait | null {
  const wait = readings.length === 0 ? null : queueWait(readings, now)
  return wait === null || wait.freshness === 'expired' ? null : wait
}
