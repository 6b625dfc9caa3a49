import { DAY_MS } from '../../config/domain.ts'
import { ERROR_CODES, type ErrorCode, HoldshortError } from '../../config/errors.ts'
import type { QueueWait } from '../../config/facts.ts'
import type { Source } from '../../config/sources.ts'
import type { LiveAttempt, LiveRequest } from '../../jobs/calls/live.ts'
import type { Release } from '../../jobs/redis/lock.ts'
import { latestReadings, queueWait } from '../../warehouse/serving/waits/choice-of-source.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import type { CollectContext } from '../collecting/collect-source.ts'
import type { SourceRuns, Told } from '../collecting/source-runs.ts'

export interface LiveContext {
  collect: Pick<CollectContext, 'warehouse' | 'now'>
  runs: SourceRuns
  sources: readonly Source[]
  /** A source that answered less than this long ago is not asked again. */
  min_age_seconds: number
  /** Milliseconds that all sources of a request have together. */
  within_ms: number
  /** Where machines share the work: takes a source for this one, null while another asks it. */
  lock?: (source: string) => Promise<Release | null>
}

/** What came of one source: a wait that may be shown as current, or why there is none. */
export interface Tried extends LiveAttempt {
  outcome: 'scraped' | 'recent'
  wait: QueueWait | null
}

const LOCK_LOOK_MS = 200

/** What an asker may read of a fault: a source's is told as it is, one of ours by its title only. */
export function faultOf(code: string, message: string): Pick<LiveAttempt, 'code' | 'message'> {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'INTERNAL'
  const { status, title } = ERROR_CODES[known]
  return { code: known, message: status === 502 && known !== 'BROWSER_UNAVAILABLE' ? message : title }
}

/** A wait that is not too old to be shown as current. */
function currentWait(readings: Parameters<typeof queueWait>[0], now: number): QueueWait | null {
  const wait = readings.length === 0 ? null : queueWait(readings, now)
  return wait === null || wait.freshness === 'expired' ? null : wait
}

interface LastRun {
  failed: boolean
  error_code: string | null
  error_message: string | null
  finished_at: string
}

/** What the source said when it was last asked, if that was too lately to ask again; null when it may be asked. */
async function lately(source: Source, request: LiveRequest, context: LiveContext) {
  const { warehouse, now: clock } = context.collect
  if (context.lock) await warehouse.refresh()
  const now = clock()
  const [last] = await warehouse.query<LastRun>(
    `SELECT outcome = 'failed' AS failed, error_code, error_message, finished_at FROM runs
     WHERE date >= $day AND source = $source AND (iata IS NULL OR iata = $iata) ORDER BY finished_at DESC LIMIT 1`,
    { day: new Date(now - DAY_MS).toISOString().slice(0, 10), source: source.id, iata: request.iata },
  )
  if (!last) return null
  const age = (now - Date.parse(last.finished_at)) / 1_000
  // A fault is held against a source for its pace only: it may have passed, and the circuit guards what fails on and on.
  const hold = last.failed ? source.pace_seconds : Math.max(context.min_age_seconds, source.pace_seconds)
  if (age >= hold) return null
  const when = `it was asked ${Math.max(0, Math.round(age))} s ago`
  if (last.failed) {
    const { code, message } = faultOf(last.error_code ?? 'INTERNAL', last.error_message ?? '')
    return { wait: null, code, message: `${message} (${when})` }
  }
  const latest = await latestReadings(warehouse, now, request.iata)
  const own = latest.filter((one) => one.source === source.id && one.kind === request.kind)
  const wait = currentWait(own, now)
  return { wait, code: null, message: wait ? when : `gave no wait when ${when}` }
}

/** What a scrape said: only readings of its own count, and none that a check has flagged. */
function heard(told: Told[], request: LiveRequest, now: number) {
  const own = told
    .flatMap(({ rows }) => rows as Reading[])
    .filter(({ iata, kind }) => iata === request.iata && kind === request.kind)
  const wait = currentWait(
    own.filter(({ flags }) => flags.length === 0),
    now,
  )
  if (wait) return { wait, code: null, message: 'answered' }
  const fault = told.find(({ outcome }) => outcome.error)?.outcome.error
  if (fault) return { wait: null, ...faultOf(fault.code, fault.message) }
  const newest = own
    .map(({ observed_at }) => observed_at)
    .sort()
    .at(-1)
  const why =
    newest === undefined
      ? 'nothing of this queue'
      : `newest reading ${newest}; closed, without a figure, too old, or set aside by a check`
  return { wait: null, code: null, message: `answered, but gave no wait (${why})` }
}

/**
 * Asks one source for one airport: what it said lately, what a run under way will tell, or a scrape of its own, one at a
 * time on all machines. What is scraped has landed before this resolves. Never throws.
 */
export async function askSource(source: Source, request: LiveRequest, context: LiveContext): Promise<Tried> {
  const from = performance.now()
  const tried = (outcome: Tried['outcome'], said: Pick<Tried, 'wait' | 'code' | 'message'>): Tried => ({
    outcome,
    source: source.id,
    ...said,
    milliseconds: Math.round(performance.now() - from),
  })
  const { runs, lock, within_ms } = context
  const scraped = (told: Told[]) => tried('scraped', heard(told, request, context.collect.now()))
  try {
    for (;;) {
      const known = await lately(source, request, context)
      if (known) return tried('recent', known)
      const joined = await runs.join(source, request.iata)
      if (joined) return scraped(joined)
      if (!lock) return scraped(await runs.ask(source, request.iata))
      const release = await lock(source.id)
      if (release) {
        try {
          const meanwhile = await lately(source, request, context)
          return meanwhile ? tried('recent', meanwhile) : scraped(await runs.ask(source, request.iata))
        } finally {
          await release()
        }
      }
      if (performance.now() - from > within_ms)
        return tried('scraped', { wait: null, code: 'LIVE_TIMEOUT', message: 'another machine is asking it' })
      await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS))
    }
  } catch (cause) {
    const { code, message } = cause instanceof HoldshortError ? cause : { code: 'INTERNAL', message: '' }
    return tried('scraped', { wait: null, ...faultOf(code, message) })
  }
}
