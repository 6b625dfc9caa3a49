import { sourceById } from '../../../config/sources.ts'
import { hashOf, uniform } from '../model/noise.ts'
import type { Feed } from './feed.ts'
import { canadianWait, closedAsUnknown, sometimes, waitBetween, withSeconds } from './posted-waits.ts'
import { minuteOf } from './site.ts'

/** Feeds and pages of Canadian and Asian airports. Comments say what is peculiar to a source. */
export const CANADIAN_AND_ASIAN_FEEDS: Feed[] = [
  // CATSA: one page per airport, waits in bands of five minutes, no time of observation.
  {
    source: 'catsa-html',
    below: /^\/([a-z-]+)$/,
    select: ({ iata }, matched) => sourceById('catsa-html').options[iata] === matched,
    wait: canadianWait,
    page: ([first]) => ({ airport: first!.queue.iata }),
  },
  // YYZ's own feed: seconds, terminals in three spellings, and checkpoints of connecting passengers in the same list.
  {
    source: 'yyz-pearson',
    timed: true,
    shown: (postings, context) =>
      withSeconds(closedAsUnknown(postings)).filter(({ queue }) => !sometimes(context, `${queue.id} left out`, 0.01)),
    queue: ({ queue }) => ({ to_usa: queue.fields.zone === 'US' }),
  },
  // YVR's own feed: seconds as text, empty for none, and long English dates in local time.
  {
    source: 'yvr-catsa',
    timed: true,
    shown: (postings) => withSeconds(closedAsUnknown(postings)),
  },
  // YYC's own feed: minutes as text by checkpoint name, local times with six decimals of a second.
  {
    source: 'yyc-rms',
    timed: true,
    // Within the last second of the previous minute, so that no reading lies in the future.
    observed: (now) => minuteOf(now) - 1 - Math.floor(999 * uniform(hashOf('YYC scan'), minuteOf(now) / 60_000)),
  },
  // ICN: one entrance per row, numbers as text. "-" is a hall outside its hours; a hall closed within its hours shows 0.
  {
    source: 'icn-keyless',
    timed: true,
    select: ({ terminal }, _, { query }) => terminal === `T${query.get('tmnlId')}`,
    queue: ({ queue, published: { state, minutes }, observed_ms }) => {
      const hour = (observed_ms / 3_600_000 + 9) % 24
      const withinHours = hour >= queue.opens && hour < queue.closes
      const closedCode = withinHours ? 'CL' : 'NP'
      const no_minutes = state === 'closed' && withinHours ? '0' : '-'
      return {
        state: state === 'closed' ? closedCode : 'OP',
        no_minutes,
        passengers: minutes === null ? no_minutes : String(7 * minutes),
      }
    },
  },
  // DEL: ranges of two minutes; entrance gates and transfer passengers have lists beside the security queues.
  {
    source: 'del-dial',
    wait: (minutes) => waitBetween(Math.max(0, minutes - 1), Math.max(0, minutes - 1) + 2),
  },
  // DOH: sensors over queues of all kinds. The unit of the numbers is unknown, so a collector must not land them.
  {
    source: 'doh-xovis',
    shown: (postings) => withSeconds(postings),
    readable: () => false,
  },
  // IST: three queues of different kinds in one object, for the airport's own page only; its flag may be false beside good numbers.
  {
    source: 'ist',
    refuses: ({ headers }) => !headers.referer?.startsWith('https://www.istairport.com/') && 403,
    page: (_, context) => ({ status: !sometimes(context, 'IST status', 0.1) }),
  },
]
