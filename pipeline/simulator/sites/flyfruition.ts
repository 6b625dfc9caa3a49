import { keyOf } from '../model/noise.ts'
import { sometimes } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** Denver's widget: bands a lane, and four ways of saying that a lane is not open; no time. */
export const flyfruition: Site = {
  hosts: ['app.flyfruition.com'],
  answer: ({ method, host, path, headers }, stage) => {
    if (path !== '/api/public/tsa') return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (headers['x-api-key'] !== stage.keysOf(host).key) return json({ message: 'Forbidden' }, 403)
    const posts = postsOf('den-flyfruition', stage)
    const checkpoints = [...new Set(posts.map(({ queue }) => queue.checkpoint))]
    const rows = checkpoints.map((title) => ({
      title,
      location: title.startsWith('East') ? 'Level 5' : 'Level 6',
      lanes: posts.filter(({ queue }) => queue.checkpoint === title).map((post) => lane(post, stage)),
    }))
    const emits = posts.flatMap((post) =>
      emissions([post], null, (minutes) => bandOf(minutes, isOpenEnded(post, stage))),
    )
    return { ...json(rows), emits }
  },
}

const isOpenEnded = ({ queue }: Post, stage: Stage) => sometimes(stage, `over 20 ${queue.id}`, 0.4)

/** "<5", "9-13", and for long waits at times no more than ">20". */
function bandOf(minutes: number, openEnded: boolean) {
  if (minutes < 3) return { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 5 }
  if (minutes > 20 && openEnded) return { wait_minutes: null, wait_minutes_low: 20, wait_minutes_high: null }
  return { wait_minutes: null, wait_minutes_low: minutes - 2, wait_minutes_high: minutes + 2 }
}

function textOf(minutes: number, openEnded: boolean): string {
  const { wait_minutes_low, wait_minutes_high } = bandOf(minutes, openEnded)
  if (wait_minutes_low === 0) return '<5'
  return wait_minutes_high === null ? '>20' : `${wait_minutes_low}-${wait_minutes_high}`
}

function lane(post: Post, stage: Stage): object {
  const { queue, posting } = post
  const hour = Math.floor(queue.opens)
  const closed = posting.says === 'closed'
  // Closed by a flag with the last band still there, by another flag, or in words.
  const forced = closed && sometimes(stage, `forced ${queue.id}`, 0.3)
  const flagged = closed && !forced && sometimes(stage, `flagged ${queue.id}`, 0.5)
  const text = closed ? (forced ? '12-16' : flagged ? 'Closed' : `Opens ${hour}am`) : ''
  return {
    lane_id: String(keyOf(queue.id) % 1_000),
    title: queue.words.lane,
    // A hidden lane still has a band; one of which nothing is known has none.
    wait_time:
      posting.says === 'minutes'
        ? textOf(posting.minutes, isOpenEnded(post, stage))
        : posting.says === 'hidden'
          ? '9-13'
          : text,
    closed: flagged,
    force_close: forced,
    hide_lane: posting.says === 'hidden',
    opening_info: `${hour} am - ${queue.closes === 24 ? 'midnight' : `${Math.floor(queue.closes) - 12} pm`}`,
  }
}
