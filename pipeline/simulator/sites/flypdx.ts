import { keyOf } from '../model/noise.ts'
import { emissions, json, type Post, postsOf, type Site } from './site.ts'

/** PDX: four counters whose text is the wait, beside other numbers; a side that is closed goes on showing its waits. */
export const flypdx: Site = {
  hosts: ['www.flypdx.com'],
  answer: ({ path }, stage) => {
    if (path !== '/TSAWaitTimesRefresh') return null
    const posts = postsOf('pdx-tsa', stage)
    const shut = (side: string) =>
      posts.filter(({ queue }) => queue.checkpoint === side).every(({ posting }) => posting.says === 'closed')
    const answer = {
      WaitTimes: posts.map((post, at) => counter(post, at, shut(post.queue.checkpoint))),
      NorthCheckpointClosed: shut('North'),
      SouthCheckpointClosed: shut('South'),
    }
    return { ...json(answer), emits: emissions(posts, null) }
  },
}

function counter({ queue, posting }: Post, at: number, sideShut: boolean): object {
  const dwell = keyOf(`${queue.id} ${posting.minutes}`) % 400
  const word = posting.says === 'closed' ? (sideShut ? '10' : 'Closed') : ''
  return {
    CounterId: at + 1,
    CounterName: `${queue.checkpoint}${queue.words.lane}`,
    PredictedDwell: dwell + 6,
    EstimatedDwell: dwell,
    Occupancy: dwell % 50,
    DisplayText: posting.says === 'minutes' ? String(posting.minutes) : word,
  }
}
