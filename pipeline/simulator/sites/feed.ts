import { fillPayload, type Slots } from './payload.ts'
import { exactWait } from './published-waits.ts'
import {
  expectedReadings,
  html,
  minuteOf,
  type Posting,
  type PublishedWait,
  postingsOf,
  type Site,
  type SiteContext,
  type SiteRequest,
  text,
} from './site.ts'

/** A page or feed with all queues of one source, written by one payload. */
export interface Feed {
  source: string
  host: string
  path: string
  /** File of `payloads/`; by default the name of the source, as JSON. */
  payload?: string
  /** Whether the site has this request; if not, it answers 404. */
  accepts?: (request: SiteRequest) => boolean
  /** Whether the site refuses this request with a 403, for example because another page sent it. */
  refuses?: (request: SiteRequest) => boolean
  /** Whether the answer carries the current minute as its time of observation. */
  timed?: boolean
  zone?: string
  /** The postings as the site shows them; unchanged by default. */
  shown?: (postings: Posting[], context: SiteContext) => Posting[]
  /** How the site publishes a wait; as an exact number by default. */
  wait?: (minutes: number) => PublishedWait
  /** Slots of a queue and of the page besides those of `queueSlots`. */
  queue?: (posting: Posting, context: SiteContext) => Slots
  page?: (postings: Posting[], context: SiteContext) => Slots
}

/** The site of a feed. */
export function feedSite(feed: Feed): Site {
  const { source, host, path, payload = `${source}.json`, timed = false, zone = 'utc', wait = exactWait } = feed
  return {
    hosts: [host],
    answer: (request, context) => {
      if (request.path !== path || feed.accepts?.(request) === false) return null
      if (feed.refuses?.(request)) return text('Forbidden', 403)
      const at = minuteOf(context.now)
      const published = postingsOf(source, context)
      const postings = feed.shown?.(published, context) ?? published
      const queues = postings.map((posting, index) =>
        Object.assign(queueSlots(posting, index, wait), feed.queue?.(posting, context)),
      )
      const page: Slots = { queues, at: { ms: at, zone }, ms: at, ...feed.page?.(postings, context) }
      const body = fillPayload(payload, page)
      const type = payload.endsWith('.json') ? 'application/json; charset=utf-8' : html('').type
      return { status: 200, type, body, expected: expectedReadings(postings, timed ? at : null, wait) }
    },
  }
}

/** The slots of a queue: its names, its number in the list, its state as sections, and its wait as the site publishes it. */
function queueSlots({ queue, published }: Posting, index: number, wait: (minutes: number) => PublishedWait): Slots {
  const { iata, terminal, checkpoint, lane, fields } = queue
  const shown = published.state === 'open' ? wait(published.minutes) : null
  return {
    ...fields,
    iata,
    terminal,
    terminal_number: terminal.replace(/^T/, ''),
    checkpoint,
    lane,
    number: index + 1,
    open: published.state === 'open',
    closed: published.state === 'closed',
    hidden: published.state === 'hidden',
    unknown: published.state === 'unknown' || published.state === 'hidden',
    minutes: published.minutes,
    exact: shown?.wait_minutes ?? null,
    low: shown?.wait_minutes_low ?? null,
    high: shown?.wait_minutes_high ?? null,
  }
}
