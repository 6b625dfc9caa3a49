import { chance, keyOf } from '../model/noise.ts'
import type { Posting } from '../model/queues.ts'
import { between, sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, postsOf, type Site, type Stage } from './site.ts'

/** DEL: bands of two minutes; entrance gates and people who change planes are lists beside the security queue. */
export const newdelhiairport: Site = {
  hosts: ['www.newdelhiairport.in'],
  answer: ({ path, query }, stage) => {
    if (path !== '/dial-api/wait-time/T2' || query.get('places') !== 'T2') return null
    const posts = postsOf('del-dial', stage)
    const waits = {
      En: ['0001', '0002'].map((queueId) => other(queueId, stage)),
      Security: posts.map(({ queue, posting }) => ({ queueId: queue.checkpoint, waiting_time: wordOf(posting) })),
      ...(sometimes(stage, 'DEL no D2D', 0.05) ? {} : { D2D: [other('D2D 1', stage)] }),
    }
    return {
      ...json({ status: true, message: '', data: waits }),
      emits: emissions(posts, null, (minutes) => between(lowOf(minutes), lowOf(minutes) + 2)),
    }
  },
}

const lowOf = (minutes: number) => Math.max(0, minutes - 1)

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return `${lowOf(posting.minutes)}-${lowOf(posting.minutes) + 2} minutes`
  return posting.says === 'closed' ? 'Closed' : '-'
}

function other(queueId: string, { now }: Stage): object {
  const low = 1 + Math.floor(6 * chance(keyOf(queueId), minuteOf(now) / 300_000))
  return { queueId, waiting_time: `${low}-${low + 1} minutes` }
}
