import { hashOf, uniform } from '../model/noise.ts'
import type { QueueModel } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** Zones of the same list that are not checkpoints: halls, gates, kerbs. */
const OTHER_ZONES = '3810 3811 4012 4013 4540 4541 4702 4703 4990 5301 5302 6001 6002 6010'.split(' ')
const STEP_MS = 600_000

/** PHL: zone, minutes and sometimes a range, without a time or a state: a closed zone keeps its last wait. */
export const phl: Site = {
  hosts: ['www.phl.org'],
  answer: ({ path, headers }, context) => {
    if (path !== '/phllivereach/metrics') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest') return json({ message: 'Bad Request' }, 400)
    const postings = postingsOf('phl-livereach', context).map((posting) => ({
      ...posting,
      published: shownOf(posting, context),
    }))
    const rows = postings.flatMap((posting) => rowOf(posting, context))
    const others = OTHER_ZONES.map((zone) => [
      zone,
      Math.floor(90 * uniform(hashOf(zone), Math.floor(context.now / 60_000))),
    ])
    return {
      ...json({ content: { rows: [...rows.slice(0, 4), ...others, ...rows.slice(4)] } }),
      expected: postings.flatMap((posting) =>
        expectedReadings([posting], null, (minutes) => ({
          wait_minutes: minutes,
          ...boundsOf(posting, minutes, context),
        })),
      ),
    }
  },
}

/** What the page shows: for a closed zone its last wait. */
function shownOf({ queue, published }: Posting, { queues, now }: SiteContext): Posting['published'] {
  return published.state === 'closed' ? lastShown(queues, queue.id, minuteOf(now)) : published
}

/** The last wait of the past day; nothing is shown after that. */
function lastShown(queues: QueueModel, queueId: string, from: number): Posting['published'] {
  for (let at = from; at > from - 24 * 6 * STEP_MS; at -= STEP_MS) {
    const published = queues.publishedAt(queueId, at)
    if (published.state === 'open') return published
  }
  return { state: 'unknown', minutes: null }
}

function boundsOf({ queue }: Posting, minutes: number, context: SiteContext) {
  return sometimes(context, `bounds ${queue.id}`, 0.5)
    ? { wait_minutes_low: Math.max(0, minutes - 2), wait_minutes_high: minutes + 3 }
    : { wait_minutes_low: null, wait_minutes_high: null }
}

/** The zone is text or a number; a row has two or three members. */
function rowOf(posting: Posting, context: SiteContext): unknown[][] {
  const { queue, published } = posting
  if (published.state !== 'open') return []
  const zone = sometimes(context, `number ${queue.id}`, 0.3) ? Number(queue.fields.zone) : queue.fields.zone
  const { wait_minutes_low, wait_minutes_high } = boundsOf(posting, published.minutes, context)
  const bounds = wait_minutes_low === null ? [] : [{ lower_bound: wait_minutes_low, upper_bound: wait_minutes_high }]
  return [[zone, published.minutes, ...bounds]]
}
