import lzString from 'lz-string'
import { z } from 'zod'
import { sourceById } from '../../../config/sources.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, uniform } from '../model/noise.ts'
import type { QueueModel } from '../model/queues.ts'
import type { Feed } from './feed.ts'
import {
  exactWait,
  isClosed,
  isOpen,
  lastWait,
  openQueues,
  sometimes,
  spoken,
  waitAround,
  waitBetween,
  withMinutes,
  withoutReading,
  withSeconds,
} from './posted-waits.ts'
import { minuteOf, type Posting, type SiteContext, type SiteRequest, text } from './site.ts'

/** A refusal of requests without the current key of the host, in this header. */
const withoutKey =
  (header: string, status: number) =>
  ({ headers, host }: SiteRequest, { keysOf }: SiteContext) =>
    headers[header] !== keysOf(host).key && status

/** An impossible wait, and whether the queue shows it now. */
const SPIKE_MINUTES = 178
const hasSpike = ({ queue }: Posting, context: SiteContext) => sometimes(context, `spike ${queue.id}`, 0.001)

/** ACI's format: seconds, and a range in minutes around them. */
const aciWait = (exact: number) => {
  const minutes = Math.round(exact)
  const spread = Math.max(2, Math.round(minutes / 5))
  return { ...waitAround(minutes, spread, spread), wait_minutes: exact }
}

/** The posting of fifty minutes ago, which is sometimes still in the list of Miami. */
function olderPosting(posting: Posting, context: SiteContext): Posting[] {
  const earlier_ms = posting.observed_ms - 50 * 60_000
  const published = context.queues.publishedAt(posting.queue.id, earlier_ms)
  return published.state === 'open' && sometimes(context, `older ${posting.queue.id}`, 0.05)
    ? [{ ...posting, published, observed_ms: earlier_ms }]
    : []
}

/** The vendor mobi: JSON with seconds, behind a key and a version that are replaced regularly. Orlando and Houston omit the hours. */
const mobi = (source: string): Feed => ({
  source,
  payload: 'mobi.json',
  timed: true,
  refuses: ({ headers, host }, { keysOf }) => {
    const { key, version } = keysOf(host)
    return (headers['api-key'] !== key || headers['api-version'] !== version) && 401
  },
  queue: ({ queue }) => ({
    with_hours: /dfw|clt/.test(source),
    // Houston lists its passport hall among the checkpoints; there the attributes are a list.
    customs: queue.kind === 'immigration',
  }),
  page: () => ({ rows: source === 'mobi-cvg' ? 'checkpoints' : 'wait_times' }),
})

export const MOBI_FEEDS: Feed[] = ['mobi-mco', 'mobi-iah', 'mobi-hou', 'mobi-dfw', 'mobi-clt', 'mobi-cvg'].map(mobi)

const GraphqlRequest = z.object({ variables: z.object({ airportCode: z.string() }), query: z.string() })

/** The GraphQL request of a body, which is LZ-compressed; null if it is none. */
function graphqlIn(body: string): z.infer<typeof GraphqlRequest> | null {
  try {
    return GraphqlRequest.parse(JSON.parse(lzString.decompressFromEncodedURIComponent(body) ?? ''))
  } catch {
    return null
  }
}

const PORT_AUTHORITY = Object.entries(sourceById('panynj-graphql').options).map(([iata, site]) => ({
  iata,
  site: String(site),
}))

/** The Port Authority's airports, each with its own site: a GraphQL query, posted as plain text; times without a date. */
const portAuthority = ({ iata, site }: { iata: string; site: string }): Feed => ({
  source: 'panynj-graphql',
  url: `${site}/api/graphql`,
  timed: true,
  refuses: ({ method, body }) => {
    if (method !== 'POST') return 405
    return !graphqlIn(body)?.query.includes('securityWaitTimes') && 400
  },
  select: (queue, _, { body }) => queue.iata === iata && graphqlIn(body)?.variables.airportCode === iata,
  // An empty queue is shown as "No Wait", and its number is then not "available".
  queue: ({ queue, published }) => ({ gate: queue.fields.gate ?? null, available: (published.minutes ?? 0) > 0 }),
})

/** Passport halls of New York (LGA has none), for the airport's own page only; local times in two formats. */
const portAuthorityHalls = ({ iata, site }: { iata: string; site: string }): Feed => ({
  source: 'panynj-customs',
  url: `${sourceById('panynj-customs').url}/${iata}`,
  timed: true,
  refuses: ({ headers }) => (headers.origin !== site || !headers.referer?.startsWith(site)) && 401,
  select: (queue) => queue.iata === iata,
})

const ZensorsRequest = z.object({
  0: z.object({ journey: z.string(), slug: z.string(), domainSlug: z.enum(['LAS', 'BOS']), token: z.string() }),
})
const ZENSORS_HOST = 'embed.zensors.live'

function zensorsRequest({ query }: SiteRequest) {
  try {
    return ZensorsRequest.parse(JSON.parse(query.get('input') ?? ''))[0]
  } catch {
    return null
  }
}

/** The name of the vendor's frame is constant; its token is new every week. */
const frameOf = (iata: string, { keysOf }: SiteContext) => ({
  slug: `${iata.toLowerCase()}-checkpoints`,
  token: keysOf(`${ZENSORS_HOST}/${iata}`).key,
})

/** LAS and BOS: one request per checkpoint, with the slug and token of the frame on the airport's page; half minutes, twice a minute a new time. */
const zensors = (iata: string, url: string): Feed[] => [
  {
    source: `zensors-${iata.toLowerCase()}`,
    // The airports share an address, so one without the journey of a request leaves it to the other.
    below: /^$/,
    payload: 'zensors.json',
    observed: (now) => Math.floor(now / 30_000) * 30_000,
    refuses: (request, context) => {
      const requested = zensorsRequest(request)
      const { slug, token } = frameOf(requested?.domainSlug ?? iata, context)
      if (requested === null) return 400
      return (requested.slug !== slug || requested.token !== token) && 401
    },
    select: (queue, _, request) => queue.fields.journey === zensorsRequest(request)?.journey,
    timed: true,
    shown: (postings) =>
      postings.map((posting) => {
        const half =
          uniform(hashOf(`${posting.queue.id} half`), Math.floor(posting.observed_ms / 60_000)) < 0.5 ? 0.5 : 0
        return withMinutes(posting, (minutes) => Math.max(0, minutes - half))
      }),
  },
  {
    source: `zensors-${iata.toLowerCase()}`,
    url,
    payload: 'zensors-page.html',
    readable: () => false,
    page: (_, context) => ({ iata, ...frameOf(iata, context) }),
  },
  {
    source: `zensors-${iata.toLowerCase()}`,
    url: `https://${ZENSORS_HOST}/${iata}/${iata.toLowerCase()}-checkpoints/waitTimeExplorer`,
    payload: 'zensors-frame.html',
    readable: () => false,
  },
]

/** DCA and IAD: one address that serves a page to people and JSON to its own script; waits as text. Dulles often has none. */
const mwaa = (source: string, emptyShare: number): Feed => ({
  source,
  payload: 'mwaa.json',
  refuses: ({ headers }) =>
    headers['x-requested-with'] !== 'XMLHttpRequest' &&
    text('<!doctype html><div id="resp-table-body"></div>', 200, 'text/html; charset=utf-8'),
  // PHP serialises an empty map as a list.
  shown: (postings, context) => (sometimes(context, `${source} empty`, emptyShare) ? [] : postings),
  wait: (minutes) => {
    if (minutes < 5) return waitBetween(0, 5)
    return minutes % 3 === 0 ? exactWait(minutes) : waitAround(minutes, 1, 2)
  },
  // A closed lane says when it opens, or has a flag beside its last number.
  queue: (posting, context) => {
    const [location = '', gates = ''] = posting.queue.checkpoint.split(', ')
    const flagged = isClosed(posting) && sometimes(context, `flagged ${posting.queue.id}`, 0.5)
    const named = gates === '' && location === 'Terminal 1' ? 'Terminal 1( )' : location
    return { location: named, gates, flagged, flag: flagged ? 1 : 0 }
  },
})

/** The wait that PHL shows for a closed zone: its last of a day, then nothing. */
const lastShown = (posting: Posting, queues: QueueModel): Posting =>
  isClosed(posting)
    ? (lastWait(posting, 24 * HOUR_MS, (ms) => queues.publishedAt(posting.queue.id, ms).minutes) ??
      withoutReading(posting))
    : posting

const SEA_LANES = ['General', 'Pre', 'Clear', 'Spot Saver', 'Premium', 'Visitor Pass']

/** Feeds of American airports. Comments say what is peculiar to a source. */
export const AMERICAN_FEEDS: Feed[] = [
  ...MOBI_FEEDS,
  ...PORT_AUTHORITY.map(portAuthority),
  ...PORT_AUTHORITY.map(portAuthorityHalls),
  ...zensors('LAS', 'https://www.harryreidairport.com/security-wait-times'),
  ...zensors('BOS', 'https://www.massport.com/logan-airport'),
  mwaa('mwaa-dca', 0.005),
  mwaa('mwaa-iad', 0.1),
  // MIA: a closed queue still shows its last number; a row of a removed queue was still served sixteen months later.
  {
    source: 'sita-mia',
    timed: true,
    refuses: withoutKey('x-apikey', 403),
    shown: (postings, context) =>
      withSeconds(postings.flatMap((posting) => [...olderPosting(posting, context), posting])).map((posting) =>
        hasSpike(posting, context) ? withMinutes(posting, () => SPIKE_MINUTES) : posting,
      ),
    readable: ({ observed_ms }, { now }) => observed_ms === minuteOf(now),
    wait: aciWait,
  },
  // PHX: the same format, but `success: false` and no status: the row of a closed queue is missing.
  {
    source: 'aci-phx',
    timed: true,
    refuses: ({ host, query }, { keysOf }) => query.get('Key') !== keysOf(host).key && 403,
    shown: (postings) => withSeconds(openQueues(postings)),
    wait: aciWait,
  },
  // BWI: all values as text, local times marked as UTC; a closed queue shows a number. The cache is sometimes written while the vendor shows nothing.
  {
    source: 'bwi-json',
    timed: true,
    shown: (postings, context) => (sometimes(context, 'BWI suspended', 0.005) ? [] : postings),
    wait: (minutes, { queue }, context) =>
      sometimes(context, `no bounds ${queue.id}`, 0.1)
        ? exactWait(minutes)
        : { ...waitAround(minutes, 2, 2), wait_minutes: minutes },
  },
  // DEN: a range per lane, four ways to show that a lane is not open; a hidden lane still has a range.
  {
    source: 'den-flyfruition',
    refuses: withoutKey('x-api-key', 403),
    wait: (minutes, { queue }, context) => {
      if (minutes < 3) return waitBetween(0, 5)
      if (minutes > 20 && sometimes(context, `over 20 ${queue.id}`, 0.4)) return waitBetween(20, null)
      return waitAround(minutes, 2, 2)
    },
    queue: (posting, context) => {
      const forced = isClosed(posting) && sometimes(context, `forced ${posting.queue.id}`, 0.3)
      const flagged = isClosed(posting) && !forced && sometimes(context, `flagged ${posting.queue.id}`, 0.5)
      return { forced, flagged, in_words: isClosed(posting) && !forced && !flagged }
    },
  },
  // PIT: rows that are not shown have numbers too.
  {
    source: 'pit-azure',
    refuses: withoutKey('ocp-apim-subscription-key', 401),
  },
  // DTW: only a name and a number per terminal. Without a reading the number is null or the row is missing.
  {
    source: 'dtw-skyfii',
    shown: (postings, context) =>
      postings.filter((posting) => isOpen(posting) || sometimes(context, `null ${posting.queue.id}`, 0.5)),
  },
  // ORD: metrics in seconds with dotted names, where 0 means closed and 424242 unknown; other metrics repeat them. The list is often empty.
  {
    source: 'ord-flychicago',
    timed: true,
    shown: (postings, context) => (sometimes(context, 'ORD empty', 0.15) ? [] : withSeconds(postings, 1)),
    queue: ({ queue }) => ({
      gate: queue.checkpoint.replace('Checkpoint ', ''),
      // A checkpoint without separate lanes has only the overview metric.
      overview: queue.lane === 'all' ? 'Overview' : '',
    }),
  },
  // PDX: counters whose text is the wait, beside other numbers; a closed side still shows its waits.
  {
    source: 'pdx-tsa',
    queue: ({ queue: { checkpoint } }, _, postings) => ({
      side_closed: postings.filter(({ queue }) => queue.checkpoint === checkpoint).every(isClosed),
    }),
  },
  // SLC: one estimate as a number and as text, PreCheck lanes without a number, an hourly forecast; JSON with the type of HTML.
  {
    source: 'slc-official',
    type: 'text/html; charset=UTF-8',
    readable: (posting) => posting.queue.lane === 'standard' || isClosed(posting),
    // "26 minutes and 36 seconds"; the number beside it is rounded.
    page: ([airport]) => {
      const { published, observed_ms } = airport!
      const seconds = Math.max(0, 60 * (published.minutes ?? 0) - 30 + 6 * ((observed_ms / 60_000) % 10))
      return {
        rightnow: published.minutes,
        description: published.minutes === null ? '' : spoken(seconds, 'minute', 'second'),
      }
    },
  },
  // PHL: zone, minutes and sometimes a range, without a time or a state, among zones that are no checkpoints. The zone is text or a number.
  {
    source: 'phl-livereach',
    refuses: ({ headers }) => headers['x-requested-with'] !== 'XMLHttpRequest' && 400,
    shown: (postings, { queues }) => postings.map((posting) => lastShown(posting, queues)),
    wait: (minutes, { queue }, context) =>
      sometimes(context, `bounds ${queue.id}`, 0.5)
        ? { ...waitAround(minutes, 2, 3), wait_minutes: minutes }
        : exactWait(minutes),
    queue: ({ queue: { id, fields } }, context) => ({
      zone: sometimes(context, `number ${id}`, 0.3) ? Number(fields.zone) : fields.zone,
    }),
  },
  // CLE: levels, never minutes; sometimes in a text. Only closures are readings.
  {
    source: 'cle-levels',
    readable: isClosed,
    queue: ({ published: { minutes, state } }) => {
      const levels: [string, number][] = [
        ['low', 10],
        ['medium', 20],
        ['high', 35],
        ['severe', Number.POSITIVE_INFINITY],
      ]
      if (minutes === null) return { level: state === 'closed' ? 'closed' : null }
      return { level: levels.find(([, end]) => minutes < end)?.[0] }
    },
    rewrite: (body, context) =>
      sometimes(context, 'CLE object', 0.3)
        ? body
        : body.replace(/(?<="field_json":)\{.*?\}/, (levels) => JSON.stringify(levels)),
  },
  // SEA: times as `/Date(ms)/`, one wait per checkpoint for all its lanes.
  {
    source: 'sea-cwt',
    timed: true,
    queue: ({ queue: { fields } }) => {
      const offered = fields.options!.split(',')
      const availability = (name: string) => {
        if (!offered.includes(name)) return 'Not Available'
        return offered.length === 1 ? 'Only' : 'Available'
      }
      return {
        offers_precheck: offered.includes('Pre') ? 1 : 0,
        lanes: SEA_LANES.map((name) => ({ name, availability: availability(name) })),
      }
    },
  },
]
