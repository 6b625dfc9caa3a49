import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, uniform } from '../model/noise.ts'
import type { Feed } from './feed.ts'
import {
  closedAsUnknown,
  exactWait,
  isClosed,
  isOpen,
  openQueues,
  sometimes,
  staleMinutes,
  waitAround,
  waitBetween,
  waitInBand,
  withMinutes,
  withoutReading,
  withSeconds,
} from './posted-waits.ts'
import type { Posting, SiteContext } from './site.ts'

/** LHR: one answer per terminal for security and for passport control, ranges with a named unit; for its own page only. */
const heathrow = (source: string, kind: string, width: number): Feed => ({
  source,
  below: /^\/([2-5])$/,
  payload: 'lhr-pihub.json',
  timed: true,
  refuses: ({ headers }) => headers.origin !== 'https://www.heathrow.com' && 403,
  select: ({ terminal }, matched) => terminal === matched,
  shown: (postings, context) =>
    postings.map((posting) =>
      posting.published.state === 'unknown' ||
      (isOpen(posting) && sometimes(context, `${posting.queue.id} stale`, 0.01, HOUR_MS))
        ? { ...withoutReading(posting), observed_ms: posting.observed_ms - 6 * HOUR_MS }
        : posting,
    ),
  wait: (minutes, { queue }, context) => heathrowWait(minutes, width, queue.id, context),
  // When its sensor has failed, a row keeps the numbers of hours ago.
  queue: (posting, context) => {
    const { queue, published } = posting
    const minutes = published.minutes ?? staleMinutes(posting)
    const { wait_minutes_low: low, wait_minutes_high: high } = heathrowWait(minutes, width, queue.id, context)
    const messages: [boolean, string][] = [
      [low === null, `Up to ${high} minutes`],
      [low === 0, `Less than ${high} minutes`],
      [true, `${low} to ${high} minutes`],
    ]
    const is_stale = published.state === 'unknown'
    const range = low === null ? '' : `${low}-${high}`
    return {
      kind,
      is_stale,
      highest: high,
      lowest: low ?? -1,
      range,
      message: messages.find(([applies]) => applies)![1],
    }
  },
})

/** The lower end is sometimes negative: then only the upper end is known. */
function heathrowWait(minutes: number, width: number, queueId: string, context: SiteContext) {
  const band = waitInBand(minutes, width)
  return sometimes(context, `${queueId} negative`, 0.03) ? { ...band, wait_minutes_low: null } : band
}

/** ZRH: lists for security, check-in and passport control; a number or a range as text, empty if unknown or closed. */
const zurich = (source: string): Feed => ({
  source,
  shown: closedAsUnknown,
  wait: (minutes, { queue }, context) =>
    sometimes(context, `${queue.id} band`, 0.5) ? waitAround(minutes, 1, 1) : exactWait(minutes),
})

/** Longer queues reach beyond Swedavia's sensors. The seconds beside "at least 25 min" were 960 (seen 2026-08). */
const OVERFLOW_MINUTES = 25
const OVERFLOW_SECONDS = 960
/** The number in a row that must not be shown (45 minutes). */
const FILLER_SECONDS = 2_700
const isPaused = (iata: string, context: SiteContext) => sometimes(context, `${iata} paused`, 0.01, HOUR_MS)

const berlinWait = (minutes: number) => waitAround(minutes, 2, 3)

function berlinWorkload({ queue, published }: Posting): [code: string, label: string] {
  if (published.state === 'closed') return ['C', 'closed']
  if (queue.lane === 'priority') return ['P', 'priority']
  const minutes = published.minutes ?? 0
  if (minutes < 6) return ['L', 'low']
  return minutes < 15 ? ['M', 'medium'] : ['H', 'high']
}

const HALF_HOUR_MS = HOUR_MS / 2

/** The postings of Helsinki for a half-hour: quarters of a minute that round to the model's minutes; in the future, a forecast. */
function halfHour(observed_ms: number, own: Posting[], { queues, now }: SiteContext): Posting[] {
  return own.map(({ source, queue }) => {
    const noise = uniform(hashOf(queue.id), observed_ms / HALF_HOUR_MS)
    const ahead = observed_ms > now ? 3 + Math.floor(9 * noise) : 0
    const posting = { source, queue, published: queues.publishedAt(queue.id, observed_ms), observed_ms }
    return withMinutes(posting, (minutes) => Math.max(0, minutes + Math.floor(4 * noise) / 4 - 0.5) + ahead)
  })
}

/** When a number of AENA expires: usually ten minutes after the request; some were last renewed hours ago. */
function expiryOf({ queue, observed_ms }: Posting, context: SiteContext): number {
  const outdated = sometimes(context, `${queue.id} forgotten`, 0.01, HOUR_MS / 2)
  return observed_ms + 10 * 60_000 - (outdated ? 8 * HOUR_MS : 0)
}

/** The shortest wait that Schiphol shows. */
const MIN_MINUTES = 1

/** Feeds and pages of European airports. Comments say what is peculiar to a source. */
export const EUROPEAN_FEEDS: Feed[] = [
  heathrow('lhr-pihub', 'security', 5),
  heathrow('lhr-immigration', 'immigration', 15),
  zurich('zrh-security'),
  zurich('zrh-checkin'),
  zurich('zrh-passport'),
  // AMS: seconds per filter, 0 while it is closed, no time of observation, spikes of three hours (11,338 s, seen 2023-07); filters for
  // transfer passengers in the same list.
  {
    source: 'ams-schiphol',
    readable: isOpen,
    shown: (postings, context) =>
      withSeconds(postings).map((posting) =>
        withMinutes(posting, (minutes) =>
          sometimes(context, `${posting.queue.id} spike`, 0.004) ? 185 : Math.max(MIN_MINUTES, minutes),
        ),
      ),
  },
  // FRA: one field holds "7 min" or "closed"; the same list has passport control and transfer checkpoints.
  {
    source: 'fra-waz',
    timed: true,
    queue: ({ queue }) => ({ hall: queue.fields.station?.charAt(0) }),
  },
  // DUS: minutes as a number and as text, 0 while closed; answers only requests like those of its own page.
  {
    source: 'dus-sitecore',
    refuses: ({ headers }) => headers['x-requested-with'] !== 'XMLHttpRequest' && 404,
  },
  // BER: a range per control, without a time of observation; "Runway" is a lane that passengers reserve. One code means either "closed"
  // or the kind of lane, so a closed priority lane cannot be recognised and is omitted.
  {
    source: 'ber-apls',
    shown: (postings) => postings.filter((posting) => posting.queue.lane === 'standard' || !isClosed(posting)),
    wait: berlinWait,
    // A closed control shows 0 and 0, or its last range.
    queue: (posting) => {
      const [workload, label] = berlinWorkload(posting)
      const last = staleMinutes(posting) % 2 === 0 ? waitBetween(0, 0) : berlinWait(staleMinutes(posting))
      const shown = isClosed(posting) ? last : waitBetween(null, null)
      return { workload, label, last_low: shown.wait_minutes_low, last_high: shown.wait_minutes_high }
    },
  },
  // ARN and GOT: seconds per station and a band as text; sometimes everything is switched off, sometimes keys begin with a capital.
  {
    source: 'swedavia-keyless',
    below: /^\/([A-Z]{3})\/true$/,
    refuses: ({ path }) => !/\/(ARN|GOT)\//.test(path) && 400,
    select: ({ iata }, matched) => iata === matched,
    shown: (postings) => withSeconds(postings),
    readable: ({ queue }, context) => !isPaused(queue.iata, context),
    wait: (minutes) =>
      minutes > OVERFLOW_MINUTES
        ? waitBetween(OVERFLOW_MINUTES, null)
        : { ...waitInBand(minutes, 5), wait_minutes: minutes },
    // A station without a reading is disabled, or has no number.
    queue: ({ queue, published: { state, minutes } }, context) => {
      const disabled = state === 'unknown' && sometimes(context, `${queue.id} disabled`, 0.5)
      const overflow = (minutes ?? 0) > OVERFLOW_MINUTES
      return {
        number_of_station: Number(queue.fields.id),
        filler: disabled || isPaused(queue.iata, context) ? FILLER_SECONDS : null,
        overflow_seconds: overflow ? OVERFLOW_SECONDS : null,
        overflow,
        disabled,
      }
    },
    page: ([first], context) => ({ paused: isPaused(first!.queue.iata, context) }),
    // Keys that begin with a capital, as in 2023.
    rewrite: (body, context) =>
      sometimes(context, 'Swedavia capitals', 0.03, DAY_MS / 4)
        ? body.replace(/"([a-z])(\w*)":/g, (_, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`)
        : body,
  },
  // OSL: seconds for security and passport control in one list; an unavailable wait is 0.
  {
    source: 'avinor-osl',
    timed: true,
    shown: (postings) => withSeconds(closedAsUnknown(postings)),
  },
  // HEL: rows per half-hour of local time: past ones, and a forecast of the next ones that is not marked as such. In an old answer, a
  // forecast that has since become past looks like a measurement.
  {
    source: 'hel-finavia',
    timed: true,
    observed: (now) => Math.floor(now / HALF_HOUR_MS) * HALF_HOUR_MS,
    shown: (own, context) =>
      [-4, -3, -2, -1, 0, 1, 2, 3].flatMap((steps) =>
        halfHour(own[0]!.observed_ms + steps * HALF_HOUR_MS, own, context),
      ),
    readable: ({ observed_ms }, { requested_at }) =>
      observed_ms <= requested_at && observed_ms > requested_at - HALF_HOUR_MS,
  },
  // DUB: one number per terminal, in steps of five, written as in a spreadsheet ("=5"); empty or negative for none. 5 was the lowest of 2022.
  {
    source: 'dub-dap',
    shown: (postings) =>
      closedAsUnknown(postings).map((posting) =>
        withMinutes(posting, (minutes) => Math.max(5, 5 * Math.round(minutes / 5))),
      ),
  },
  // AENA by ICAO code, for its own page only: seconds per access control until they expire. 0 means unknown; the default is no measurement.
  {
    source: 'aena-indoor',
    below: /^\/([A-Z]{4})\/accesscontrols$/,
    refuses: ({ headers: { origin, referer } }) =>
      (origin !== 'https://www.aena.es' || !referer?.startsWith('https://www.aena.es')) && 403,
    select: ({ fields }, matched) => fields.id!.startsWith(matched),
    shown: (postings) => withSeconds(closedAsUnknown(postings)),
    readable: (posting, context) =>
      posting.published.minutes !== 0 && expiryOf(posting, context) >= context.requested_at,
    queue: (posting, context) => ({ expires: new Date(expiryOf(posting, context)).toISOString() }),
  },
  // FCO: a wait per terminal in the header of every page, "more than 20 min" for longer ones; a third terminal is a link without a wait.
  {
    source: 'fco-html',
    wait: (minutes) => (minutes > 20 ? waitBetween(20, null) : exactWait(minutes)),
  },
  // BRU: one wait for the airport in the text of a page, whose script contains the same text; no text for closed.
  {
    source: 'bru-html',
    shown: openQueues,
  },
  // STR: an HTML fragment with one line per terminal; a closed one still shows a number.
  {
    source: 'str-html',
  },
  // HAM: one band for the whole airport, with its time in epoch milliseconds.
  {
    source: 'ham',
    timed: true,
    wait: (minutes) => waitInBand(minutes, 5, 30),
  },
  // CPH: a number and a band per terminal in one flat object; over 20 minutes only a lower end. A closed terminal still shows a number.
  {
    source: 'cph-azure',
    timed: true,
    wait: (minutes) => {
      const band = waitInBand(minutes, 5, 20)
      return { ...band, wait_minutes: band.wait_minutes_high === null ? null : minutes }
    },
  },
  // EDI: one wait and one queue length for the airport; the meaning of `cached` is unknown.
  {
    source: 'edi-blip',
    shown: closedAsUnknown,
    queue: ({ published: { minutes } }) => ({ queue_length: minutes === null ? 0 : 12 + 48 * minutes }),
    page: (_, context) => ({ cached: sometimes(context, 'EDI cached', 0.7) ? 1 : 0 }),
  },
  // MUC: ids that contain place and lane, -1 for unknown, queues of other kinds. The unit is unknown, so a collector must not land minutes.
  {
    source: 'muc-passngr',
    readable: () => false,
    queue: ({ published }) => ({ wait: published.minutes ?? -1 }),
  },
]
