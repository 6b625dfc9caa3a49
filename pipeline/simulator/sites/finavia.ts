import { DateTime } from 'luxon'
import { chance, keyOf } from '../model/noise.ts'
import { oldMinutes } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

const STEP_MS = 30 * 60_000

interface Row {
  at: number
  post: Post
}

/** HEL: half-hours on a local clock, those that have passed and, not marked as such, a forecast of those to come. */
export const finavia: Site = {
  hosts: ['www.finavia.fi'],
  answer: ({ path }, stage) => {
    if (path !== '/en/api/security-waiting-time-stats') return null
    const running = Math.floor(stage.now / STEP_MS) * STEP_MS
    const rows = [-4, -3, -2, -1, 0, 1, 2, 3].flatMap((steps) => rowsAt(running + steps * STEP_MS, stage))
    // What has come to pass since an old answer was made, nothing tells from a measurement.
    const newest = rows.findLast(({ at }) => at <= stage.asked)
    const emits = newest ? emissions([newest.post], newest.at) : []
    return { ...json({ SecDepartureHall: rows.map(row) }), emits }
  },
}

/** What is posted of a half-hour: quarters of a minute that round to the world's, and a guess of what is to come. */
function rowsAt(at: number, stage: Stage): Row[] {
  return postsOf('hel-finavia', { ...stage, now: at }).map((post) => {
    if (post.posting.says !== 'minutes') return { at, post }
    const noise = chance(keyOf(post.queue.id), at / STEP_MS)
    const ahead = at > stage.now ? 3 + Math.floor(9 * noise) : 0
    const minutes = Math.max(0, post.posting.minutes + Math.floor(4 * noise) / 4 - 0.5) + ahead
    return { at, post: { ...post, posting: { says: 'minutes', minutes } } }
  })
}

function row({ at, post }: Row): object {
  const { says, minutes } = post.posting
  const clock = DateTime.fromMillis(at, { zone: 'Europe/Helsinki' })
  return {
    messageDate: clock.toFormat('dd.MM.yyyy'),
    messageTime: clock.toFormat('HH:mm'),
    averageWaitingTime: says === 'closed' ? oldMinutes(post) : minutes,
    securityLaneOpen: says !== 'closed',
    countEnteringQueue: String(says === 'minutes' ? 20 * Math.ceil(minutes) : 0),
  }
}
