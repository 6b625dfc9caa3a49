import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { hashOf } from '../model/noise.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

/** BWI: ACI's format with other field names, all values as text, in minutes; its local times are marked as UTC. */
export const bwiairport: Site = {
  hosts: ['bwiairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/wp-content/themes/bwitheme/cache/wait-times.json') return null
    const at = minuteOf(context.now)
    // The cache is sometimes written while the vendor shows nothing.
    const postings = sometimes(context, 'BWI suspended', 0.005) ? [] : postingsOf('bwi-json', context)
    const bounded = (posting: Posting) => !sometimes(context, `no bounds ${posting.queue.id}`, 0.1)
    return {
      ...json({
        updated: clock(context.now),
        waittimes: postings.map((posting) => row(posting, bounded(posting), at)),
      }),
      expected: postings.flatMap((posting) =>
        expectedReadings([posting], at, (minutes) => ({
          wait_minutes: minutes,
          wait_minutes_low: bounded(posting) ? boundsOf(minutes).low : null,
          wait_minutes_high: bounded(posting) ? boundsOf(minutes).high : null,
        })),
      ),
    }
  },
}

const clock = (ms: number) =>
  DateTime.fromMillis(ms, { zone: zoneOf('America/New_York') }).toFormat("yyyy-MM-dd'T'HH:mm:ss'Z'")

const boundsOf = (minutes: number) => ({ low: Math.max(0, minutes - 2), high: minutes + 2 })

function row({ queue, published }: Posting, bounded: boolean, at: number): object {
  // A closed queue still shows a number.
  const minutes = published.state === 'closed' ? 2 : published.minutes
  const bounds = minutes === null || published.state === 'closed' || !bounded ? null : boundsOf(minutes)
  return {
    Queue_ID: String(hashOf(queue.id) % 1_000),
    Queue_Name: queue.fields.name,
    Projected_Wait_Time: minutes === null ? '' : String(minutes),
    Projected_Min_Wait_Minutes: bounds === null ? '' : String(bounds.low),
    Projected_Max_Wait_Minutes: bounds === null ? '' : String(bounds.high),
    Queue_State: published.state === 'closed' ? 'closure' : 'open',
    Updated_Time: clock(at),
  }
}
