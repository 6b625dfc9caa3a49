import { sometimes } from './published-waits.ts'
import { emissions, json, postsOf, type Site } from './site.ts'

/** Detroit: a name and a number a terminal, and nothing else. Without a number it is null, or the row is not there. */
export const metroairport: Site = {
  hosts: ['proxy.metroairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/SkyFiiTSAProxy.ashx') return null
    const posts = postsOf('dtw-skyfii', stage)
    const shown = posts.filter(
      ({ queue, posting }) => posting.says === 'minutes' || sometimes(stage, `null ${queue.id}`, 0.5),
    )
    const rows = shown.map(({ queue, posting }) => ({ Name: queue.terminal, WaitTime: posting.minutes }))
    return { ...json(rows), emits: emissions(posts, null) }
  },
}
