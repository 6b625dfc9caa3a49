import { DateTime, Duration } from 'luxon'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { sourceById } from '../../../config/sources.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import type { Queue } from '../catalogue/index.ts'
import { hashOf } from '../model/noise.ts'
import { fillPayload, type Slots } from './payload.ts'
import { exactWait, sometimes, staleMinutes, unrelatedMinutes } from './posted-waits.ts'
import {
  expectedReadings,
  minuteOf,
  type PostedWait,
  type Posting,
  postingsOf,
  type Site,
  type SiteAnswer,
  type SiteContext,
  type SiteRequest,
  text,
} from './site.ts'

/** A page or feed with queues of one source, written by one payload. */
export interface Feed {
  source: string
  /** Address, with the parameters without which the site has no such page; by default that of the source in `config/sources.json`. */
  url?: string
  /** The path after the address; its group goes to `select`. */
  below?: RegExp
  /** Lines of the robots.txt besides the one that allows everything. */
  robots?: string[]
  /** File of `payloads/`; by default that with the name of the source. */
  payload?: string
  /** Content type; by default that of the payload's file. */
  type?: string
  /** The site's other answer, or the status of its refusal: for example because another page sent the request, or without its key. */
  refuses?: (request: SiteRequest, context: SiteContext) => SiteAnswer | number | false
  /** Whether the answer has this queue; all of the source by default. */
  select?: (queue: Queue, matched: string, request: SiteRequest) => boolean
  /** When the queues were observed, from the clock of the site; at the beginning of the current minute by default. */
  observed?: (now: number) => number
  /** Whether the answer carries that time. */
  timed?: boolean | ((context: SiteContext) => boolean)
  /** The postings as the site shows them; unchanged by default. */
  shown?: (postings: Posting[], context: SiteContext) => Posting[]
  /** Whether a collector can read a posting; every one with a wait or closed by default. */
  readable?: (posting: Posting, context: SiteContext) => boolean
  /** How the site publishes a wait; as an exact number by default. */
  wait?: WaitForm
  /** Slots of a queue and of the page besides those of `queueSlots`. */
  queue?: (posting: Posting, context: SiteContext, postings: Posting[]) => Slots
  page?: (postings: Posting[], context: SiteContext) => Slots
  rewrite?: (body: string, context: SiteContext) => string
}

type WaitForm = (minutes: number, posting: Posting, context: SiteContext) => PostedWait

const TYPES: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  xml: 'application/xml;charset=UTF-8',
  js: 'application/javascript',
}

/** The answer that a payload makes. */
export function filled(file: string, slots: Slots, type = TYPES[file.replace(/.*\./, '')]!): SiteAnswer {
  return { status: 200, type, body: fillPayload(file, slots) }
}

export const urlOf = ({ url, source }: Feed): URL => new URL(url ?? sourceById(source).url)

/** The sites of feeds: one for each host. */
export function feedSites(feeds: readonly Feed[]): Site[] {
  const hosts = feeds.map((feed) => urlOf(feed).host)
  return [...new Set(hosts)].map((host) => {
    const own = feeds.filter((_, index) => hosts[index] === host)
    return {
      hosts: [host],
      robots: own.flatMap(({ robots = [] }) => robots),
      answer: (request, context) => {
        for (const feed of own) {
          const answer = answerOf(feed, request, context)
          if (answer !== null) return answer
        }
        return null
      },
    }
  })
}

function answerOf(feed: Feed, request: SiteRequest, context: SiteContext): SiteAnswer | null {
  const { pathname, searchParams } = urlOf(feed)
  if (!request.path.startsWith(pathname)) return null
  const match = (feed.below ?? /^$/).exec(request.path.slice(pathname.length))
  if (!match || [...searchParams].some(([name, value]) => request.query.get(name) !== value)) return null
  // A browser sends a preflight request to an API of another origin.
  if (request.method === 'OPTIONS') return text('', 204)
  const refusal = feed.refuses?.(request, context) ?? false
  if (refusal !== false) return typeof refusal === 'number' ? text('Refused', refusal) : refusal
  const observed_ms = (feed.observed ?? minuteOf)(context.now)
  const own = postingsOf(feed.source, context, observed_ms).filter(
    ({ queue }) => feed.select?.(queue, match[1] ?? '', request) ?? true,
  )
  return own.length === 0 && feed.below ? null : feedAnswer(feed, own, observed_ms, context)
}

/** The answer of a feed with these postings, and the readings in it. */
export function feedAnswer(feed: Feed, own: Posting[], observed_ms: number, context: SiteContext): SiteAnswer {
  const { source, payload = source + (source.endsWith('-html') ? '.html' : '.json') } = feed
  const { timed = false, wait = exactWait, readable = () => true } = feed
  const postings = feed.shown?.(own, context) ?? own
  const queues = postings.map((posting, index) => ({
    ...queueSlots(posting, index, context, wait),
    ...feed.queue?.(posting, context, postings),
  }))
  const page = { ...pageSlots(own[0]?.queue.iata, observed_ms, context), queues, ...feed.page?.(postings, context) }
  const answer = filled(payload, page, feed.type)
  const expected = expectedReadings(
    postings.filter((posting) => readable(posting, context)),
    typeof timed === 'function' ? timed(context) : timed,
    (minutes, posting) => wait(minutes, posting, context),
  )
  return { ...answer, body: feed.rewrite?.(answer.body, context) ?? answer.body, expected }
}

/** A time in a format of Luxon, where `aa` stands for "pm" and `aaa` for "p.m.". */
function written(time: DateTime, format: string): string {
  const half = time.hour < 12 ? 'a' : 'p'
  return time.toFormat(format.replace('aaa', `'${half}.m.'`).replace('aa', `'${half}m'`))
}

/** The slots of a time: `{{at:h:mm a}}` writes it in the airport's zone, `{{utc:HH:mm}}` in UTC. */
export function timeSlots(ms: number, iata?: string): Slots {
  const zone = iata === undefined ? 'utc' : airportDirectory().byIata.get(iata)!.timezone
  const slot = (name: string) => (format: string) =>
    written(DateTime.fromMillis(ms, { zone: zoneOf(name), locale: 'en-US' }), format)
  return { at: slot(zone), utc: slot('utc'), ms, s: ms / 1_000 }
}

/** The slots of a page: its times, oddities that occur now and then, and minutes of rows that are not our queues. */
function pageSlots(iata: string | undefined, observed_ms: number, context: SiteContext): Slots {
  return {
    ...timeSlots(observed_ms, iata),
    odd: oddity(context, iata ?? ''),
    unrelated: (row) => unrelatedMinutes(context, row, Number(row.split(' ').at(-1))),
  }
}

/** `{{#odd:0.3 negative}}` is present in this share of the spells of ten minutes. */
const oddity = (context: SiteContext, about: string) => (argument: string) => {
  const [share, name] = argument.split(' ')
  return sometimes(context, `${about} ${name}`, Number(share))
}

/** The slots of a queue: its names, its number in the list, its state as sections, its wait as the site publishes it, and the site's own words. */
function queueSlots(posting: Posting, index: number, context: SiteContext, wait: WaitForm): Slots {
  const { queue, published, observed_ms } = posting
  const { id, iata, terminal, checkpoint, lane, opens, closes, fields } = queue
  const { state, minutes } = published
  const shown = published.state === 'open' ? wait(published.minutes, posting, context) : null
  const low = shown?.wait_minutes_low ?? null
  const high = shown?.wait_minutes_high ?? null
  const isHidden = state === 'hidden'
  const stale = state === 'closed' || isHidden ? staleMinutes(posting) : null
  const clock = (hours: number) => (format: string) => written(DateTime.utc(2000).plus({ hours }), format)
  return {
    ...timeSlots(observed_ms, iata),
    id,
    iata,
    terminal,
    terminal_number: terminal.replace(/^T/, ''),
    checkpoint,
    lane,
    number: index + 1,
    standard: lane === 'standard',
    precheck: lane === 'precheck',
    priority: lane === 'priority',
    open: state === 'open',
    closed: state === 'closed',
    hidden: isHidden,
    unknown: state === 'unknown' || isHidden,
    minutes,
    seconds: minutes === null ? null : Math.round(60 * minutes),
    rounded: Math.round(minutes ?? 0),
    duration: (format) => Duration.fromMillis(1_000 * Math.round(60 * (minutes ?? 0))).toFormat(format),
    no_wait: minutes === 0,
    while_closed: state === 'closed' ? 0 : null,
    stale,
    stale_seconds: stale === null ? null : 60 * stale,
    exact: shown?.wait_minutes ?? null,
    low,
    high,
    under: low === 0 ? high : null,
    over: high === null ? low : null,
    between: low !== null && low > 0 && high !== null ? `${low}-${high}` : null,
    opens: clock(opens),
    closes: clock(closes),
    odd: oddity(context, id),
    hash: (modulus) => hashOf(id) % Number(modulus),
    ...fields,
  }
}
