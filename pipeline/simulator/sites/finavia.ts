import { DateTime } from 'luxon'
import { hashOf, uniform } from '../model/noise.ts'
import { staleMinutes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

const STEP_MS = 30 * 60_000

interface Row {
  at: number
  posting: Posting
}

/** HEL: half-hours on a local clock, those that have passed and, not marked as such, a forecast of those to come. */
export const finavia: Site = {
  hosts: ['www.finavia.fi'],
  answer: ({ path }, context) => {
    if (path !== '/en/api/security-waiting-time-stats') return null
    const running = Math.floor(context.now / STEP_MS) * STEP_MS
    const rows = [-4, -3, -2, -1, 0, 1, 2, 3].flatMap((steps) => rowsAt(running + steps * STEP_MS, context))
    // What has come to pass since an old answer was made, nothing tells from a measurement.
    const newest = rows.findLast(({ at }) => at <= context.requested_at)
    const expected = newest ? expectedReadings([newest.posting], newest.at) : []
    return { ...json({ SecDepartureHall: rows.map(row) }), expected }
  },
}

/** What is posted of a half-hour: quarters of a minute that round to the world's, and a guess of what is to come. */
function rowsAt(at: number, context: SiteContext): Row[] {
  return postingsOf('hel-finavia', { ...context, now: at }).map((posting) => {
    if (posting.published.state !== 'open') return { at, posting }
    const noise = uniform(hashOf(posting.queue.id), at / STEP_MS)
    const ahead = at > context.now ? 3 + Math.floor(9 * noise) : 0
    const minutes = Math.max(0, posting.published.minutes + Math.floor(4 * noise) / 4 - 0.5) + ahead
    return { at, posting: { ...posting, published: { state: 'open', minutes } } }
  })
}

function row({ at, posting }: Row): object {
  const { state, minutes } = posting.published
  const clock = DateTime.fromMillis(at, { zone: 'Europe/Helsinki' })
  return {
    messageDate: clock.toFormat('dd.MM.yyyy'),
    messageTime: clock.toFormat('HH:mm'),
    averageWaitingTime: state === 'closed' ? staleMinutes(posting) : minutes,
    securityLaneOpen: state !== 'closed',
    countEnteringQueue: String(state === 'open' ? 20 * Math.ceil(minutes) : 0),
  }
}
