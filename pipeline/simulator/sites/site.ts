import type { IncomingHttpHeaders } from 'node:http'
import { isoUtc, type Lane, type QueueKind } from '../../../config/vocabulary.ts'
import { type Queue, queuesOf } from '../catalogue/index.ts'
import type { PublishedState, QueueModel } from '../model/queues.ts'

/** A request as a site receives it: the host it was meant for, and the path on that host. */
export interface SiteRequest {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** A reading that a correct collector lands from an answer. A warehouse must hold exactly these. */
export interface ExpectedReading {
  source: string
  kind: QueueKind
  iata: string
  terminal: string
  checkpoint: string
  lane: Lane
  /** ISO UTC; null if the answer carries no time: the reading then has the instant of the request. */
  observed_at: string | null
  wait_minutes: number | null
  wait_minutes_low: number | null
  wait_minutes_high: number | null
  closed: boolean
}

export interface SiteAnswer {
  status: number
  type: string
  body: string
  /** The readings in the answer; absent if it has none. */
  expected?: ExpectedReading[]
}

/** The context in which a site answers. */
export interface SiteContext {
  queues: QueueModel
  /** The instant that the site's clock shows, epoch milliseconds. */
  now: number
  /** The instant of the request: it decides for the reader of an answer what has expired and what is a forecast. */
  requested_at: number
  /** The oddities that occur, for tests: those whose name contains one of these texts. If absent, they are random. */
  oddities?: string[]
  /** The key and version that a host accepts now. */
  keysOf: (host: string) => { key: string; version: string }
}

/** One or several hosts of the simulated world. `answer` returns null for an address that the site does not have. */
export interface Site {
  hosts: string[]
  /** Lines of its robots.txt besides the one that allows everything. */
  robots?: string[]
  answer: (request: SiteRequest, context: SiteContext) => SiteAnswer | null
}

export const json = (value: unknown, status = 200): SiteAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

export const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): SiteAnswer => ({
  status,
  type,
  body,
})

/** A queue with what a source publishes about it, and when that was so (epoch ms). */
export interface Posting {
  source: string
  queue: Queue
  published: PublishedState
  observed_ms: number
}

/** The postings of a source for its queues, in the current minute or at another time. */
export function postingsOf(source: string, { queues, now }: SiteContext, observed_ms = minuteOf(now)): Posting[] {
  return queuesOf(source).map((queue) => ({
    source,
    queue,
    published: queues.publishedAt(queue.id, observed_ms),
    observed_ms,
  }))
}

export type PostedWait = Pick<ExpectedReading, 'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high'>

/**
 * The readings of postings: one with a wait for an open queue, one without a wait for a closed queue, none otherwise. `timed` is
 * whether the answer carries their time. `waitOf` is how the source publishes the minutes, for example as a range.
 */
export function expectedReadings(
  postings: Posting[],
  timed: boolean,
  waitOf: (minutes: number, posting: Posting) => PostedWait,
): ExpectedReading[] {
  const noWait = { wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
  return postings.flatMap((posting) => {
    const { source, queue, published, observed_ms } = posting
    if (published.state !== 'open' && published.state !== 'closed') return []
    const { kind, iata, terminal, checkpoint, lane } = queue
    const place = { source, kind, iata, terminal, checkpoint, lane, observed_at: timed ? isoUtc(observed_ms) : null }
    const wait = published.state === 'open' ? waitOf(published.minutes, posting) : noWait
    return [{ ...place, ...wait, closed: published.state === 'closed' }]
  })
}

/** Start of the current minute: sites publish once a minute. */
export const minuteOf = (ms: number): number => Math.floor(ms / 60_000) * 60_000
