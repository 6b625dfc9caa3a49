import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { staleMinutes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

const STEP_MS = 30 * 60_000

interface Row {
  at: number
  posting: Posting
}

/** HEL: rows per half-hour of local time: past ones, and a forecast of the next ones that is not marked as such. */
export const finavia: Site = {
  hosts: ['www.finavia.fi'],
  answer: ({ path }, context) => {
    if (path !== '/en/api/security-waiting-time-stats') return null
    const current = Math.floor(context.now / STEP_MS) * STEP_MS
    const rows = [-4, -3, -2, -1, 0, 1, 2, 3].flatMap((steps) => rowsAt(current + steps * STEP_MS, context))
    // In an old answer, a forecast that has since become past looks like a measurement.
    const newest = rows.findLast(({ at }) => at <= context.requested_at)
    const expected = newest ? expectedReadings([newest.posting], newest.at) : []
    return { ...json({ SecDepartureHall: rows.map(row) }), expected }
  },
}

/** The postings of a half-hour: quarters of a minute that round to the model's minutes, or a forecast. */
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
  const clock = DateTime.fromMillis(at, { zone: zoneOf('Europe/Helsinki') })
  return {
    messageDate: clock.toFormat('dd.MM.yyyy'),
    messageTime: clock.toFormat('HH:mm'),
    averageWaitingTime: state === 'closed' ? staleMinutes(posting) : minutes,
    securityLaneOpen: state !== 'closed',
    countEnteringQueue: String(state === 'open' ? 20 * Math.ceil(minutes) : 0),
  }
}
