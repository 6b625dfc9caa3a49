import { DateTime } from 'luxon'
import { keyOf } from '../model/noise.ts'
import { sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site } from './site.ts'

/** BWI: the ACI shape in other letters, all of it text, minutes throughout; its local times claim to be UTC. */
export const bwiairport: Site = {
  hosts: ['bwiairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/wp-content/themes/bwitheme/cache/wait-times.json') return null
    const at = minuteOf(stage.now)
    // Now and then the cache is written while the vendor shows nothing.
    const posts = sometimes(stage, 'BWI suspended', 0.005) ? [] : postsOf('bwi-json', stage)
    const bounded = (post: Post) => !sometimes(stage, `no bounds ${post.queue.id}`, 0.1)
    return {
      ...json({ updated: clock(stage.now), waittimes: posts.map((post) => row(post, bounded(post), at)) }),
      emits: posts.flatMap((post) =>
        emissions([post], at, (minutes) => ({
          wait_minutes: minutes,
          wait_minutes_low: bounded(post) ? boundsOf(minutes).low : null,
          wait_minutes_high: bounded(post) ? boundsOf(minutes).high : null,
        })),
      ),
    }
  },
}

const clock = (ms: number) => DateTime.fromMillis(ms, { zone: 'America/New_York' }).toFormat("yyyy-MM-dd'T'HH:mm:ss'Z'")

const boundsOf = (minutes: number) => ({ low: Math.max(0, minutes - 2), high: minutes + 2 })

function row({ queue, posting }: Post, bounded: boolean, at: number): object {
  // A closed queue keeps its last number.
  const minutes = posting.says === 'closed' ? 2 : posting.minutes
  const bounds = minutes === null || posting.says === 'closed' || !bounded ? null : boundsOf(minutes)
  return {
    Queue_ID: String(keyOf(queue.id) % 1_000),
    Queue_Name: queue.words.name,
    Projected_Wait_Time: minutes === null ? '' : String(minutes),
    Projected_Min_Wait_Minutes: bounds === null ? '' : String(bounds.low),
    Projected_Max_Wait_Minutes: bounds === null ? '' : String(bounds.high),
    Queue_State: posting.says === 'closed' ? 'closure' : 'open',
    Updated_Time: clock(at),
  }
}
