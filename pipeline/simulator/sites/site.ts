import type { IncomingHttpHeaders } from 'node:http'
import { isoUtc, type Lane, type QueueKind } from '../../../config/domain.ts'
import { queuesOf } from '../catalogue/index.ts'
import type { Queue } from '../catalogue/queue.ts'
import type { Posting, World } from '../model/queues.ts'

/** A request as a site sees it: the host it was meant for, and the path on that host. */
export interface SiteRequest {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** A reading that an answer holds, as a reader without fault lands it. The sum of these is what a warehouse must hold. */
export interface Emission {
  source: string
  kind: QueueKind
  iata: string
  terminal: string
  checkpoint: string
  lane: Lane
  /** ISO UTC; null where the answer carries no time, so that the instant of asking stands. */
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
  /** What it tells of queues; nothing for pages that tell of none. */
  emits?: Emission[]
}

/** What a site knows when it answers. */
export interface Stage {
  world: World
  /** The instant its clock shows, epoch milliseconds. */
  now: number
  /** The instant of asking: no site knows it, but a reader judges by it what still holds or is yet to come. */
  asked: number
  /** The key and version that a mobi host accepts now. */
  keysOf: (host: string) => { key: string; version: string }
}

/** One or several hosts of the simulated internet. `answer` gives null for an address it does not have. */
export interface Site {
  hosts: string[]
  /** Lines of robots.txt besides the one that allows everything. */
  robots?: string[]
  answer: (request: SiteRequest, stage: Stage) => SiteAnswer | null
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

/** A queue, and what a source posts of it. */
export interface Post {
  source: string
  queue: Queue
  posting: Posting
}

/** What the queues of a source, or of one of its airports, post in the running minute. */
export function postsOf(source: string, { world, now }: Stage, iata?: string): Post[] {
  return queuesOf(source, iata).map((queue) => ({ source, queue, posting: world.postedAt(queue.id, minuteOf(now)) }))
}

export type Wait = Pick<Emission, 'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high'>

/**
 * Posts as readings: none where nothing is said, a closed one without a wait, else one with the minutes. `at` is the time
 * that the answer carries (epoch ms), null for none; `as` is what the source makes of the minutes, e.g. a range.
 */
export function emissions(posts: Post[], at: number | null, as?: (minutes: number, post: Post) => Wait): Emission[] {
  return posts.flatMap((post) => {
    const { source, queue, posting } = post
    if (posting.says !== 'minutes' && posting.says !== 'closed') return []
    const { kind, iata, terminal, checkpoint, lane } = queue
    const named = { source, kind, iata, terminal, checkpoint, lane, observed_at: at === null ? null : isoUtc(at) }
    const plain = { wait_minutes: posting.minutes, wait_minutes_low: null, wait_minutes_high: null }
    const wait = posting.says === 'minutes' && as ? as(posting.minutes, post) : plain
    return [{ ...named, ...wait, closed: posting.says === 'closed' }]
  })
}

/** Start of the running minute: sites publish once a minute, and what they publish is as old as that. */
export const minuteOf = (ms: number): number => Math.floor(ms / 60_000) * 60_000

export const escapeHtml = (words: string): string =>
  words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/'/g, '&#039;')
