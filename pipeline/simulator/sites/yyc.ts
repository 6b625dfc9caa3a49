import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { hashOf, uniform } from '../model/noise.ts'
import type { PublishedState } from '../model/queues.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

/** YYC's own feed: minutes as text by checkpoint name, local times with six decimals of a second. */
export const yyc: Site = {
  hosts: ['rmsflightdata.yyc.com:8091'],
  answer: ({ path }, context) => {
    if (path !== '/api/currentwaittimes') return null
    const minute = minuteOf(context.now)
    // Within the last second of the previous minute, so that no reading lies in the future.
    const at = minute - 1 - Math.floor(999 * uniform(hashOf('YYC scan'), minute / 60_000))
    const postings = postingsOf('yyc-rms', context)
    const waittimes = Object.fromEntries(
      postings.map(({ queue, published }) => [queue.checkpoint, waitText(published)]),
    )
    const answer = { updatedAt: `${local(at)}456`, lastScan: `${local(at - 9_000)}000`, waittimes }
    return { ...json(answer), expected: expectedReadings(postings, at) }
  },
}

const local = (ms: number) =>
  DateTime.fromMillis(ms, { zone: zoneOf('America/Edmonton') }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS")

function waitText(published: PublishedState): string {
  if (published.state === 'open') return String(published.minutes)
  return published.state === 'closed' ? 'Closed' : '-'
}
