import { hashOf, uniform } from '../model/noise.ts'
import type { PublishedState } from '../model/queues.ts'
import { sometimes, waitBetween } from './published-waits.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site, type SiteContext } from './site.ts'

/** DEL: ranges of two minutes; entrance gates and transfer passengers have lists beside the security queues. */
export const newdelhiairport: Site = {
  hosts: ['www.newdelhiairport.in'],
  answer: ({ path, query }, context) => {
    if (path !== '/dial-api/wait-time/T2' || query.get('places') !== 'T2') return null
    const postings = postingsOf('del-dial', context)
    const waits = {
      En: ['0001', '0002'].map((queueId) => unrelatedRow(queueId, context)),
      Security: postings.map(({ queue, published }) => ({
        queueId: queue.checkpoint,
        waiting_time: waitText(published),
      })),
      ...(sometimes(context, 'DEL no D2D', 0.05) ? {} : { D2D: [unrelatedRow('D2D 1', context)] }),
    }
    return {
      ...json({ status: true, message: '', data: waits }),
      expected: expectedReadings(postings, null, (minutes) => waitBetween(lowOf(minutes), lowOf(minutes) + 2)),
    }
  },
}

const lowOf = (minutes: number) => Math.max(0, minutes - 1)

function waitText(published: PublishedState): string {
  if (published.state === 'open') return `${lowOf(published.minutes)}-${lowOf(published.minutes) + 2} minutes`
  return published.state === 'closed' ? 'Closed' : '-'
}

function unrelatedRow(queueId: string, { now }: SiteContext): object {
  const low = 1 + Math.floor(6 * uniform(hashOf(queueId), minuteOf(now) / 300_000))
  return { queueId, waiting_time: `${low}-${low + 1} minutes` }
}
