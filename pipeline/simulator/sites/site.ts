import type { IncomingHttpHeaders } from 'node:http'
import { isoUtc, type Lane, type QueueKind } from '../../../config/domain.ts'
import { queuesOf } from '../catalogue/index.ts'
import type { Queue } from '../catalogue/queue.ts'
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
  /** ISO UTC; null where the answer carries no time: the reading then has the instant of the request. */
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
  /** The readings in the answer; absent where it has none. */
  expected?: ExpectedReading[]
}

/** What a site knows when it answers. */
export interface SiteContext {
  queues: QueueModel
  /** The instant that the site's clock shows, epoch milliseconds. */
  now: number
  /** The instant of the request: it decides for the reader of an answer what has expired and what is a forecast. */
  requested_at: number
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

export const html = (body: string): SiteAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body })

export const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): SiteAnswer => ({
  status,
  type,
  body,
})

/** A queue with what a source publishes about it. */
export interface Posting {
  source: string
  queue: Queue
  published: PublishedState
}

/** What a source publishes about its queues, or about those of one airport, in the current minute. */
export function postingsOf(source: string, { queues, now }: SiteContext, iata?: string): Posting[] {
  return queuesOf(source, iata).map((queue) => ({
    source,
    queue,
    published: queues.publishedAt(queue.id, minuteOf(now)),
  }))
}

export type PublishedWait = Pick<ExpectedReading, 'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high'>

/**
 * The readings of postings: one with a wait for an open queue, one without a wait for a closed queue, none otherwise. `at` is the
 * time that the answer carries (epoch ms), null for none. `waitOf` is how the source publishes the minutes, for example as a range.
 */
export function expectedReadings(
  postings: Posting[],
  at: number | null,
  waitOf?: (minutes: number, posting: Posting) => PublishedWait,
): ExpectedReading[] {
  return postings.flatMap((posting) => {
    const { source, queue, published } = posting
    if (published.state !== 'open' && published.state !== 'closed') return []
    const { kind, iata, terminal, checkpoint, lane } = queue
    const place = { source, kind, iata, terminal, checkpoint, lane, observed_at: at === null ? null : isoUtc(at) }
    const exact = { wait_minutes: published.minutes, wait_minutes_low: null, wait_minutes_high: null }
    const wait = published.state === 'open' && waitOf ? waitOf(published.minutes, posting) : exact
    return [{ ...place, ...wait, closed: published.state === 'closed' }]
  })
}

/** Start of the current minute: sites publish once a minute. */
export const minuteOf = (ms: number): number => Math.floor(ms / 60_000) * 60_000

export const escapeHtml = (content: string): string =>
  content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/'/g, '&#039;')
