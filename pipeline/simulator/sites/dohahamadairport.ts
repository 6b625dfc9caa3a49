import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import type { Queue } from '../catalogue/queue.ts'
import { publishedSeconds } from './published-waits.ts'
import { json, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

/** DOH: sensors over queues of all kinds. The unit of the numbers is unknown, so a collector must not land them. */
export const dohahamadairport: Site = {
  hosts: ['dohahamadairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/webservices/xovis') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('doh-xovis', context)
    const places = [...new Set(postings.map(({ queue }) => queue.fields.place!))]
    const checkpoints = places.map((checkpoint_name, place) => {
      const here = postings.filter(({ queue }) => queue.fields.place === checkpoint_name)
      return {
        checkpoint_id: place + 1,
        checkpoint_name,
        queues: here.map((posting) => row(posting.queue, posting, at)),
      }
    })
    const transfer = postings
      .slice(0, 1)
      .map((posting) => row({ ...posting.queue, checkpoint: 'Transfers A' }, posting, at))
    checkpoints.push({ checkpoint_id: 9, checkpoint_name: 'Concourse - TSA', queues: transfer })
    return { ...json({ checkpoints }), expected: [] }
  },
}

function row({ checkpoint, fields }: Queue, posting: Posting, at: number): object {
  const wait_time = publishedSeconds(posting, at)
  return {
    queue_id: fields.name,
    queue_name: fields.name,
    wait_time,
    projected_wait_time: wait_time,
    throughput: 10,
    occupancy: 3 * (posting.published.minutes ?? 0),
    content: { queueLabel: { en: checkpoint, ar: '' } },
    last_measured: DateTime.fromMillis(at, { zone: zoneOf('Asia/Qatar') }).toFormat('yyyy-MM-dd HH:mm:ss'),
  }
}
