import { isoUtc } from '../../config/domain.ts'
import type { QueueWait } from '../../config/facts.ts'
import { rankOf } from '../../config/publishers.ts'
import type { Source } from '../../config/sources.ts'
import type { LiveAnswer, LiveAttempt, LiveRequest } from '../../jobs/calls/live.ts'
import { lastKnown } from './last-known.ts'
import { askSource, faultOf, type LiveContext, type Tried } from './try-source.ts'

export type { LiveContext } from './try-source.ts'

/** The sources that publish this wait live, the one that stands nearest to the queue first. */
function sourcesOf({ iata, kind }: LiveRequest, sources: readonly Source[]): Source[] {
  return sources
    .filter((source) => source.active && source.timeliness === 'live')
    .filter((source) => source.kind === kind && source.airports.includes(iata))
    .sort((a, b) => rankOf(a.publisher) - rankOf(b.publisher))
}

/** Work that is under way under a key is shared by all who ask for it. */
function sharing() {
  const underWay = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = underWay.get(key) as Promise<T> | undefined
    if (known) return known
    const mine = work().finally(() => underWay.delete(key))
    underWay.set(key, mine)
    return mine
  }
}

/**
 * Makes the answerer of live requests: the sources of the airport one after another, each with its share of the time left,
 * until one gives a wait. What is late goes on and lands; the asker is answered in time, with what was last known.
 */
export function createLiveAnswerer(context: LiveContext): (request: LiveRequest) => Promise<LiveAnswer> {
  const { now, warehouse } = context.collect
  const share = sharing()

  return async (request) => {
    const asked_at = isoUtc(now())
    const { iata, kind } = request
    const answer = (over: Pick<LiveAnswer, 'outcome' | 'message'> & Partial<LiveAnswer>): LiveAnswer => ({
      airport: iata,
      kind,
      asked_at,
      source: null,
      wait: null,
      attempts: [],
      last_known: null,
      ...over,
    })
    const sources = sourcesOf(request, context.sources)
    if (sources.length === 0)
      return answer({ outcome: 'no_source', message: `${iata} ${kind}: no source publishes this wait live` })
    const begin = (source: Source) => share(`${source.id}/${iata}`, () => askSource(source, request, context))
    const { given, attempts } = await firstWait(sources, begin, context.within_ms)
    if (given?.wait) {
      const { outcome, source, wait } = given
      return answer({ outcome, source, wait, attempts, message: givenMessage(request, given) })
    }
    const ids = sources.map(({ id }) => id)
    const last_known = await share(`${iata}/${kind}`, () => lastKnown(warehouse, request, ids, now()))
    const message = `${iata} ${kind}: ${attempts.map(faultWords).join('; ')}; ${lastKnownWords(last_known)}`
    return answer({ outcome: 'unreachable', attempts, last_known, message })
  }
}

interface Begun {
  source: string
  from: number
  tried: Tried | null
  settled: Promise<Tried>
}

/** The first wait that any source gives. The next is begun when those before it failed or have had their share of the time. */
async function firstWait(sources: readonly Source[], begin: (source: Source) => Promise<Tried>, within_ms: number) {
  const end = performance.now() + within_ms
  const begun: Begun[] = []
  let given: Tried | null = null
  for (const [index, source] of sources.entries()) {
    const one: Begun = { source: source.id, from: performance.now(), tried: null, settled: begin(source) }
    begun.push(one)
    void one.settled.then((tried) => {
      one.tried = tried
    })
    const left = end - performance.now()
    given = await firstOf(begun, left / (sources.length - index))
    if (given) break
  }
  return { given, attempts: begun.map(attemptOf) }
}

/** Null when all have ended without a wait, or the time is over. */
async function firstOf(begun: Begun[], within_ms: number): Promise<Tried | null> {
  const waits = begun.map(({ settled }) =>
    settled.then((tried) => (tried.wait ? tried : Promise.reject(new Error('no wait')))),
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, within_ms))
  })
  const first = Promise.any(waits).catch(() => null)
  return Promise.race([first, late]).finally(() => clearTimeout(timer))
}

function attemptOf({ source, from, tried }: Begun): LiveAttempt {
  if (tried) {
    const { code, message, milliseconds } = tried
    return { source, code, message, milliseconds }
  }
  const milliseconds = Math.round(performance.now() - from)
  return { source, ...faultOf('LIVE_TIMEOUT', ''), milliseconds }
}

const minutesOf = (wait: QueueWait) => {
  const minutes = Math.round(wait.average_wait_minutes ?? 0)
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}

function givenMessage({ iata, kind }: LiveRequest, { wait, source, outcome, message }: Tried): string {
  const how = outcome === 'scraped' ? `asked of ${source} just now` : `of ${source}; ${message}`
  return wait ? `${iata} ${kind}: ${minutesOf(wait)} at ${wait.observed_at}, ${how}` : ''
}

const faultWords = ({ source, code }: LiveAttempt) =>
  code === null ? `${source} gave no wait` : `${source} could not be reached (${code})`

function lastKnownWords(wait: QueueWait | null): string {
  if (wait === null) return 'nothing is known of the last 30 days'
  const old = wait.freshness === 'expired' ? ', too old to go by' : ''
  return `last known at ${wait.observed_at}: ${minutesOf(wait)}${old}`
}
