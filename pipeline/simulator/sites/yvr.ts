import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { exactWait, openQueues, publishedSeconds } from './published-waits.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

/** YVR's own feed: seconds as text, empty for none, and long English dates in local time. */
export const yvr: Site = {
  hosts: ['www.yvr.ca'],
  answer: ({ path }, context) => {
    if (path !== '/_api/CatsaWait') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('yvr-catsa', context)
    const value = postings.map((posting) => ({
      Terminal: posting.queue.checkpoint,
      WaitTime: String(publishedSeconds(posting, at) ?? ''),
      CreatedDate: longDate(at - 150_000),
      LastUpdatedDate: longDate(at),
    }))
    const expected = openQueues(postings).flatMap((posting) =>
      expectedReadings([posting], at, () => exactWait(publishedSeconds(posting, at)! / 60)),
    )
    return { ...json({ value }), expected }
  },
}

const longDate = (ms: number) =>
  DateTime.fromMillis(ms, { zone: zoneOf('America/Vancouver'), locale: 'en-US' }).toFormat(
    'EEEE, dd MMMM yyyy HH:mm:ss',
  )
