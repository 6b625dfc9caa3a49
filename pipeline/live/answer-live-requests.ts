import type { QueueWait } from '../../config/answer-schemas.ts'
import { createSharing } from '../../config/once.ts'
import { publisherRank } from '../../config/publishers.ts'
import type { Source } from '../../config/sources.ts'
import { withTimeLimit } from '../../config/time-limit.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { LiveAnswer, LiveAttempt, LiveRequest } from '../../jobs/calls/live.ts'
import { withoutFigure } from '../../warehouse/publishing/read/read-time.ts'
import { lastKnown } from './last-known.ts'
import { hasFigure, type LiveContext, publicFault, type SourceAttempt, trySource } from './try-source.ts'

export type { LiveContext } from './try-source.ts'

/**
 * Creates the function that answers live requests. It tries the sources of the airport one after another, each with its share of
 * the remaining time, until one gives a wait. A source that is too slow continues in the background and lands its readings; the
 * client is answered in time, with the last known wait.
 */
export function createLiveAnswerer(context: LiveContext): (request: LiveRequest) => Promise<LiveAnswer> {
  const { now, warehouse } = context.collect
  const shareAttempt = createSharing<SourceAttempt>()
  const shareLastKnown = createSharing<QueueWait | null>()

  return async (request) => {
    const { iata, kind } = request
    const asked_at = isoUtc(now())
    const answer = (fields: Pick<LiveAnswer, 'outcome'> & Partial<LiveAnswer>): LiveAnswer => ({
      airport: iata,
      kind,
      asked_at,
      source: null,
      wait: null,
      attempts: [],
      last_known: null,
      ...fields,
    })
    const sources = liveSources(request, context.sources)
    if (sources.length === 0) return answer({ outcome: 'no_source' })
    const start = (source: Source) => shareAttempt(`${source.id}/${iata}`, () => trySource(source, request, context))
    const { first, attempts } = await firstWait(sources, start, context.within_ms)
    if (first && hasFigure(first.wait)) {
      const { outcome, source, wait } = first
      return answer({ outcome, source, wait, attempts })
    }
    const ids = sources.map(({ id }) => id)
    const last_known = await shareLastKnown(`${iata}/${kind}`, () => lastKnown(warehouse, request, ids, now()))
    if (!first) return answer({ outcome: 'unreachable', attempts, last_known })
    const { outcome, source } = first
    const wait = first.wait ?? withoutFigure(`the source answered, but gave no figure of this queue`)
    return answer({ outcome, source, wait, attempts, last_known })
  }
}

/** The sources that publish this wait live, the publisher closest to the queue first. */
function liveSources({ iata, kind }: LiveRequest, sources: readonly Source[]): Source[] {
  return sources
    .filter((source) => source.active && source.timeliness === 'live')
    .filter((source) => [source.kind, ...source.further_kinds].includes(kind) && source.airports.includes(iata))
    .sort((a, b) => publisherRank(a.publisher) - publisherRank(b.publisher))
}

interface StartedSource {
  source: string
  from: number
  /** Null until the source has answered or failed. */
  attempt: SourceAttempt | null
  ended: Promise<SourceAttempt>
}

/**
 * The first wait or closure of any source, or else the first answer without a figure; null when no source answered in time. A
 * source is started when those before it have failed or have used their share of the time.
 */
async function firstWait(
  sources: readonly Source[],
  start: (source: Source) => Promise<SourceAttempt>,
  within_ms: number,
): Promise<{ first: SourceAttempt | null; attempts: LiveAttempt[] }> {
  const end = performance.now() + within_ms
  const started: StartedSource[] = []
  let first: SourceAttempt | null = null
  for (const [index, source] of sources.entries()) {
    const current: StartedSource = { source: source.id, from: performance.now(), attempt: null, ended: start(source) }
    started.push(current)
    void current.ended.then((attempt) => {
      current.attempt = attempt
    })
    const left_ms = end - performance.now()
    first = await firstWaitWithin(started, left_ms / (sources.length - index))
    if (first) break
  }
  const answered = started.find(({ attempt }) => attempt?.code === null)
  return { first: first ?? answered?.attempt ?? null, attempts: started.map(attemptOf) }
}

/** The first wait of the started sources; null when all have ended without one, or the time is over. */
async function firstWaitWithin(started: StartedSource[], within_ms: number): Promise<SourceAttempt | null> {
  const waits = started.map(({ ended }) =>
    ended.then((attempt) => (hasFigure(attempt.wait) ? attempt : Promise.reject(new Error('no figure')))),
  )
  const first = Promise.any(waits).catch(() => null)
  return withTimeLimit(Math.max(0, within_ms), first, () => null)
}

function attemptOf({ source, from, attempt }: StartedSource): LiveAttempt {
  if (attempt) {
    const { code, message, milliseconds } = attempt
    return { source, code, message, milliseconds }
  }
  const milliseconds = Math.round(performance.now() - from)
  return { source, ...publicFault('LIVE_TIMEOUT', ''), milliseconds }
}
