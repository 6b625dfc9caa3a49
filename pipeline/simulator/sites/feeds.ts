import { type Feed, feedSite } from './feed.ts'
import {
  bandOfWidth,
  closedAsUnknown,
  exactWait,
  openQueues,
  sometimes,
  staleMinutes,
  waitBetween,
  waitInBand,
} from './published-waits.ts'
import type { Posting, Site } from './site.ts'

/** Sources whose answer one payload describes. Comments say what is peculiar to a source. */
const FEEDS: Feed[] = [
  // FCO: a wait per terminal in the header of every page, "more than 20 min" for longer ones; a third terminal is a link without a wait.
  {
    source: 'fco-html',
    host: 'www.adr.it',
    path: '/web/aeroporti-di-roma-en',
    payload: 'fco-html.html',
    wait: (minutes) => (minutes > 20 ? waitBetween(20, null) : exactWait(minutes)),
  },
  // BRU: one wait for the airport in the text of a page, whose script contains the same text; no text for closed.
  {
    source: 'bru-html',
    host: 'www.brusselsairport.be',
    path: '/en/passengers',
    payload: 'bru-html.html',
    shown: openQueues,
  },
  // STR: an HTML fragment with one line per terminal; a closed one still shows a number.
  {
    source: 'str-html',
    host: 'www.stuttgart-airport.com',
    path: '/en/ajax/info-widget/waiting-times',
    payload: 'str-html.html',
  },
  // JAX: a label and a bold estimate per lane, "less than a min" for no wait.
  {
    source: 'jax-html',
    host: 'www.flyjacksonville.com',
    path: '/content.aspx',
    payload: 'jax-html.html',
    accepts: ({ query }) => query.get('id') === '3583',
    wait: (minutes) => (minutes === 0 ? waitBetween(0, 1) : exactWait(minutes)),
  },
  // OMA: a range of five minutes per concourse, never a number; a row without a title is a note.
  {
    source: 'oma-html',
    host: 'www.flyoma.com',
    path: '/passenger-services/security-checkpoint-wait-times/',
    payload: 'oma-html.html',
    wait: (minutes) => waitInBand(bandOfWidth(minutes, 5)),
  },
  // CHS: a card per checkpoint or lane, and an hourly forecast, which is not an observation.
  {
    source: 'chs-html',
    host: 'iflychs.com',
    path: '/passengers/security-checkpoint/',
    payload: 'chs-html.html',
    wait: (minutes) => (minutes < 5 ? waitBetween(0, 5) : exactWait(minutes)),
  },
  // BNA: one wait for the airport; the page showed 131 and 144 minutes between readings of 3 (May 2026), and a collector lands what it shows.
  {
    source: 'bna-html',
    host: 'flynashville.com',
    path: '/',
    payload: 'bna-html.html',
    shown: (postings, context) => (sometimes(context, 'BNA spike', 0.004) ? postings.map(asSpike) : postings),
  },
  // HAM: one band for the whole airport, with its time in epoch milliseconds.
  {
    source: 'ham',
    host: 'www.hamburg-airport.de',
    path: '/service/waittimes/waittimes',
    timed: true,
    wait: (minutes) => waitInBand(bandOfWidth(minutes, 5, 30)),
  },
  // CPH: a number and a band per terminal in one flat object; over 20 minutes only a lower end. A closed terminal still shows a number.
  {
    source: 'cph-azure',
    host: 'cphwaitingtime.z6.web.core.windows.net',
    path: '/waitingtime.json',
    timed: true,
    wait: (minutes) => {
      const { low, high } = bandOfWidth(minutes, 5, 20)
      return { wait_minutes: high === null ? null : minutes, wait_minutes_low: low, wait_minutes_high: high }
    },
    queue: (posting) => ({ stale: staleMinutes(posting), lowest: (posting.published.minutes ?? 5) < 5 }),
  },
  // EDI: one wait and one queue length for the airport; the meaning of `cached` is unknown.
  {
    source: 'edi-blip',
    host: 'blip-api.edinburghairport.com',
    path: '/blip-api/blip',
    accepts: ({ query }) => query.get('version') === '2',
    shown: closedAsUnknown,
    queue: ({ published: { minutes } }) => ({ queue_length: minutes === null ? 0 : 12 + 48 * minutes }),
    page: (_, context) => ({ cached: sometimes(context, 'EDI cached', 0.7, 60_000) ? 1 : 0 }),
  },
  // IST: three queues of different kinds in one object, for the airport's own page only; its flag may be false beside good numbers.
  {
    source: 'ist',
    host: 'www.istairport.com',
    path: '/umbraco/api/Checkpoint/GetWaitingTimes',
    refuses: ({ headers }) => !headers.referer?.startsWith('https://www.istairport.com/'),
    page: (_, context) => ({ status: !sometimes(context, 'IST status', 0.1) }),
  },
  // DTW: only a name and a number per terminal. Without a reading the number is null or the row is missing.
  {
    source: 'dtw-skyfii',
    host: 'proxy.metroairport.com',
    path: '/SkyFiiTSAProxy.ashx',
    shown: (postings, context) =>
      postings.filter(
        ({ queue, published }) => published.state === 'open' || sometimes(context, `null ${queue.id}`, 0.5),
      ),
  },
]

/** An impossible wait. */
const asSpike = (posting: Posting): Posting => ({ ...posting, published: { state: 'open', minutes: 144 } })

export const FEED_SITES: readonly Site[] = FEEDS.map(feedSite)
