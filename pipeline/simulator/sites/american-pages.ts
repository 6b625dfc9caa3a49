import { HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, uniform } from '../model/noise.ts'
import type { Feed } from './feed.ts'
import {
  canadianWait,
  exactWait,
  isClosed,
  isOpen,
  lastWait,
  openQueues,
  sometimes,
  spoken,
  waitBetween,
  waitInBand,
  withMinutes,
} from './posted-waits.ts'
import type { Posting, SiteContext } from './site.ts'

/** In the hour before a checkpoint of MSP opens, its card is shown as open with the last wait of the evening before. */
function beforeOpening(posting: Posting, { queues }: SiteContext): Posting {
  const { queue, observed_ms } = posting
  if (!isClosed(posting) || !queues.waitAt(queue.id, observed_ms + HOUR_MS).open) return posting
  return lastWait(posting, 12 * HOUR_MS, (ms) => queues.waitAt(queue.id, ms).minutes) ?? posting
}

const hasNewMessage = ({ queue }: Posting, context: SiteContext) => sometimes(context, `${queue.id} new message`, 0.01)
const isHalf = ({ queue }: Posting, context: SiteContext) => sometimes(context, `${queue.id} half`, 0.02)
const isFallback = ({ queue }: Posting, context: SiteContext) => sometimes(context, `${queue.iata} fallback`, 0.03)
const isZoned = (context: SiteContext) => !sometimes(context, 'no zone', 0.1)

const DELTA_HUBS: Record<string, string> = { ATL: 'Atlanta', MSP: 'Minneapolis', DTW: 'Detroit' }

/** Pages of American airports. Comments say what is peculiar to a source. */
export const AMERICAN_PAGES: Feed[] = [
  // SFO: one row per checkpoint, one column per lane.
  {
    source: 'sfo-html',
    robots: ['Disallow: /admin/', 'Disallow: /search/', 'Crawl-delay: 1'],
    timed: true,
  },
  // ATL: the page lists the checkpoints; its script adds the numbers.
  {
    source: 'atl-html',
    payload: 'atl-page.html',
    readable: () => false,
    queue: ({ queue: { terminal } }) => ({
      column: terminal === 'Domestic' ? 'nesclasser2' : 'nesclasser1',
      heading: terminal.toUpperCase(),
    }),
  },
  {
    source: 'atl-html',
    url: 'https://www.atl.com/times/waits.js',
    payload: 'atl-waits.js',
    readable: () => false,
  },
  { source: 'atl-html', url: 'https://www.atl.com/times/waits.json', payload: 'atl-waits.json' },
  // Delta's page of its hubs: a block per airport, a table per section, one time for airports in two zones. A block without current
  // numbers is shown with meaningless ones. Without its zone the time cannot be interpreted.
  {
    source: 'delta-newshub',
    payload: 'delta-newshub.html',
    timed: isZoned,
    readable: (posting, context) => !isFallback(posting, context),
    wait: (minutes) => (minutes < 5 ? waitBetween(0, 5) : exactWait(minutes)),
    // The third cell is the state or "PreCheck Only"; a closed PreCheck checkpoint has "Closed" in the second cell.
    queue: (posting, context) => {
      const { lane, iata, fields } = posting.queue
      const minutes = posting.published.minutes ?? 15
      const fallback = isFallback(posting, context)
      const known = isOpen(posting) || fallback || (isClosed(posting) && lane !== 'precheck')
      const noWait = isClosed(posting) ? 'Closed' : 'Not Available'
      return {
        city: DELTA_HUBS[iata],
        heading: fields.section,
        fallback,
        shown_minutes: known && minutes >= 5 ? minutes : null,
        word: known ? '' : noWait,
        shown_closed: isClosed(posting) && !fallback,
      }
    },
    page: (_, context) => ({ zoned: isZoned(context) }),
  },
  // MSP: a card per checkpoint with a band of minutes and a message about who may use it; a closed card shows a number, and when it opens.
  {
    source: 'msp-html',
    timed: true,
    shown: (postings, context) =>
      postings
        .map((posting) => beforeOpening(posting, context))
        .map((posting) => (isClosed(posting) ? { ...posting, queue: { ...posting.queue, lane: 'all' } } : posting)),
    readable: (posting, context) => isClosed(posting) || !hasNewMessage(posting, context),
    wait: (minutes, _, context) =>
      sometimes(context, 'MSP plain minutes', 0.05) ? exactWait(minutes) : canadianWait(minutes),
    queue: (posting, context) => (hasNewMessage(posting, context) ? { message: 'MSP Reserve' } : {}),
  },
  // CMH: a sentence with an estimate in minutes and seconds; the hours below it are a forecast.
  {
    source: 'cmh-html',
    shown: (postings) =>
      openQueues(postings).map((posting) => {
        const seconds = 15 * Math.floor(2 * uniform(hashOf('CMH seconds'), posting.observed_ms / 60_000))
        return withMinutes(posting, (minutes) => minutes + seconds / 60)
      }),
    queue: ({ published }) => ({
      duration: spoken(Math.round(60 * (published.minutes ?? 0)), 'minute', 'second', ', '),
    }),
  },
  // STL: a gauge with one estimate for the airport, and cards with the state of each checkpoint; at night the gauge still shows a number.
  {
    source: 'stl-html',
    shown: ([estimate, ...checkpoints]) => {
      const closes = isOpen(estimate!) && checkpoints.every(isClosed)
      return [closes ? { ...estimate!, published: { state: 'closed', minutes: null } } : estimate!, ...checkpoints]
    },
    readable: (posting) => posting.queue.terminal === '' || isClosed(posting),
    queue: ({ queue, published }) => ({ gauge: queue.terminal === '' && published.state !== 'unknown' }),
  },
  // SAT: an average per terminal, whose two digits a script sets one by one; sometimes only the first.
  {
    source: 'sat-html',
    readable: (posting, context) => isOpen(posting) && !isHalf(posting, context),
    queue: (posting, context) => {
      const [one = '', two = ''] = isOpen(posting) ? String(posting.published.minutes).padStart(2, '0') : ''
      return { letter_of_terminal: posting.queue.terminal.toLowerCase(), one, two, half: isHalf(posting, context) }
    },
  },
  // JAX: a label and a bold estimate per lane, "less than a min" for no wait.
  {
    source: 'jax-html',
    wait: (minutes) => (minutes === 0 ? waitBetween(0, 1) : exactWait(minutes)),
  },
  // OMA: a range of five minutes per concourse, never a number; a row without a title is a note.
  {
    source: 'oma-html',
    wait: (minutes) => waitInBand(minutes, 5),
  },
  // CHS: a card per checkpoint or lane, and an hourly forecast, which is not an observation.
  {
    source: 'chs-html',
    wait: (minutes) => (minutes < 5 ? waitBetween(0, 5) : exactWait(minutes)),
  },
  // BNA: one wait for the airport; the page showed 131 and 144 minutes between readings of 3 (May 2026), and a collector lands what it shows.
  {
    source: 'bna-html',
    shown: (postings, context) =>
      sometimes(context, 'BNA spike', 0.004)
        ? postings.map((posting) => ({ ...posting, published: { state: 'open', minutes: 144 } }))
        : postings,
  },
]
