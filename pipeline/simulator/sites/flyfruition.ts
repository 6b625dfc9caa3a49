import { hashOf } from '../model/noise.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** Denver's widget: a range per lane, four ways to show that a lane is not open, no time of observation. */
export const flyfruition: Site = {
  hosts: ['app.flyfruition.com'],
  answer: ({ method, host, path, headers }, context) => {
    if (path !== '/api/public/tsa') return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (headers['x-api-key'] !== context.keysOf(host).key) return json({ message: 'Forbidden' }, 403)
    const postings = postingsOf('den-flyfruition', context)
    const checkpoints = [...new Set(postings.map(({ queue }) => queue.checkpoint))]
    const rows = checkpoints.map((title) => ({
      title,
      location: title.startsWith('East') ? 'Level 5' : 'Level 6',
      lanes: postings.filter(({ queue }) => queue.checkpoint === title).map((posting) => lane(posting, context)),
    }))
    const expected = postings.flatMap((posting) =>
      expectedReadings([posting], null, (minutes) => bandOf(minutes, isOpenEnded(posting, context))),
    )
    return { ...json(rows), expected }
  },
}

const isOpenEnded = ({ queue }: Posting, context: SiteContext) => sometimes(context, `over 20 ${queue.id}`, 0.4)

/** The range of a wait: "<5", "9-13", and sometimes ">20" for long waits. */
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

function lane(posting: Posting, context: SiteContext): object {
  const { queue, published } = posting
  const hour = Math.floor(queue.opens)
  const closed = published.state === 'closed'
  // Closed by a flag beside the last range, by another flag, or by a text.
  const forced = closed && sometimes(context, `forced ${queue.id}`, 0.3)
  const flagged = closed && !forced && sometimes(context, `flagged ${queue.id}`, 0.5)
  const text = closed ? (forced ? '12-16' : flagged ? 'Closed' : `Opens ${hour}am`) : ''
  return {
    lane_id: String(hashOf(queue.id) % 1_000),
    title: queue.fields.lane,
    // A hidden lane still has a range; a lane without a reading has none.
    wait_time:
      published.state === 'open'
        ? textOf(published.minutes, isOpenEnded(posting, context))
        : published.state === 'hidden'
          ? '9-13'
          : text,
    closed: flagged,
    force_close: forced,
    hide_lane: published.state === 'hidden',
    opening_info: `${hour} am - ${queue.closes === 24 ? 'midnight' : `${Math.floor(queue.closes) - 12} pm`}`,
  }
}
