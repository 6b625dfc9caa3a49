import { chance, keyOf } from '../model/noise.ts'
import type { World } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site, type Stage } from './site.ts'

/** Zones of the same list that are no checkpoints: halls, gates, kerbs. */
const OTHER_ZONES = '3810 3811 4012 4013 4540 4541 4702 4703 4990 5301 5302 6001 6002 6010'.split(' ')
const STEP_MS = 600_000

/** PHL: zone, minutes and perhaps bounds. It says neither when nor whether a zone is open: a closed one keeps its last wait. */
export const phl: Site = {
  hosts: ['www.phl.org'],
  answer: ({ path, headers }, stage) => {
    if (path !== '/phllivereach/metrics') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest') return json({ message: 'Bad Request' }, 400)
    const posts = postsOf('phl-livereach', stage).map((post) => ({ ...post, posting: shownOf(post, stage) }))
    const rows = posts.flatMap((post) => rowOf(post, stage))
    const others = OTHER_ZONES.map((zone) => [
      zone,
      Math.floor(90 * chance(keyOf(zone), Math.floor(stage.now / 60_000))),
    ])
    return {
      ...json({ content: { rows: [...rows.slice(0, 4), ...others, ...rows.slice(4)] } }),
      emits: posts.flatMap((post) =>
        emissions([post], null, (minutes) => ({ wait_minutes: minutes, ...boundsOf(post, minutes, stage) })),
      ),
    }
  },
}

/** What stands on the page: when a zone has closed, what it showed before. */
function shownOf({ queue, posting }: Post, { world, now }: Stage): Post['posting'] {
  return posting.says === 'closed' ? lastShown(world, queue.id, minuteOf(now)) : posting
}

/** Closed for a day at most; nothing is shown after that. */
function lastShown(world: World, queueId: string, from: number): Post['posting'] {
  for (let at = from; at > from - 24 * 6 * STEP_MS; at -= STEP_MS) {
    const posting = world.postedAt(queueId, at)
    if (posting.says === 'minutes') return posting
  }
  return { says: 'silent', minutes: null }
}

function boundsOf({ queue }: Post, minutes: number, stage: Stage) {
  return sometimes(stage, `bounds ${queue.id}`, 0.5)
    ? { wait_minutes_low: Math.max(0, minutes - 2), wait_minutes_high: minutes + 3 }
    : { wait_minutes_low: null, wait_minutes_high: null }
}

/** Zones are text or numbers, rows of two or three. */
function rowOf(post: Post, stage: Stage): unknown[][] {
  const { queue, posting } = post
  if (posting.says !== 'minutes') return []
  const zone = sometimes(stage, `number ${queue.id}`, 0.3) ? Number(queue.words.zone) : queue.words.zone
  const { wait_minutes_low, wait_minutes_high } = boundsOf(post, posting.minutes, stage)
  const bounds = wait_minutes_low === null ? [] : [{ lower_bound: wait_minutes_low, upper_bound: wait_minutes_high }]
  return [[zone, posting.minutes, ...bounds]]
}
