import { DateTime } from 'luxon'
import { exactly, openOnes, secondsSaid } from './published-waits.ts'
import { emissions, json, minuteOf, postsOf, type Site } from './site.ts'

/** YVR's own feed: seconds as text, empty for none, and long English dates in local time. */
export const yvr: Site = {
  hosts: ['www.yvr.ca'],
  answer: ({ path }, stage) => {
    if (path !== '/_api/CatsaWait') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('yvr-catsa', stage)
    const value = posts.map((post) => ({
      Terminal: post.queue.checkpoint,
      WaitTime: String(secondsSaid(post, at) ?? ''),
      CreatedDate: longDate(at - 150_000),
      LastUpdatedDate: longDate(at),
    }))
    const emits = openOnes(posts).flatMap((post) => emissions([post], at, () => exactly(secondsSaid(post, at)! / 60)))
    return { ...json({ value }), emits }
  },
}

const longDate = (ms: number) =>
  DateTime.fromMillis(ms, { zone: 'America/Vancouver', locale: 'en-US' }).toFormat('EEEE, dd MMMM yyyy HH:mm:ss')
