import { DateTime } from 'luxon'
import type { Queue } from '../catalogue/queue.ts'
import { secondsSaid } from './published-waits.ts'
import { json, minuteOf, type Post, postsOf, type Site } from './site.ts'

/** DOH: sensors over queues of all kinds. Nobody knows the unit of the numbers, so no reader may land minutes of them. */
export const dohahamadairport: Site = {
  hosts: ['dohahamadairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/webservices/xovis') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('doh-xovis', stage)
    const places = [...new Set(posts.map(({ queue }) => queue.words.place!))]
    const checkpoints = places.map((checkpoint_name, place) => {
      const here = posts.filter(({ queue }) => queue.words.place === checkpoint_name)
      return { checkpoint_id: place + 1, checkpoint_name, queues: here.map((post) => row(post.queue, post, at)) }
    })
    const transfer = posts.slice(0, 1).map((post) => row({ ...post.queue, checkpoint: 'Transfers A' }, post, at))
    checkpoints.push({ checkpoint_id: 9, checkpoint_name: 'Concourse - TSA', queues: transfer })
    return { ...json({ checkpoints }), emits: [] }
  },
}

function row({ checkpoint, words }: Queue, post: Post, at: number): object {
  const wait_time = secondsSaid(post, at)
  return {
    queue_id: words.name,
    queue_name: words.name,
    wait_time,
    projected_wait_time: wait_time,
    throughput: 10,
    occupancy: 3 * (post.posting.minutes ?? 0),
    content: { queueLabel: { en: checkpoint, ar: '' } },
    last_measured: DateTime.fromMillis(at, { zone: 'Asia/Qatar' }).toFormat('yyyy-MM-dd HH:mm:ss'),
  }
}
