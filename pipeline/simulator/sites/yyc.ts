import { DateTime } from 'luxon'
import { chance, keyOf } from '../model/noise.ts'
import type { Posting } from '../model/queues.ts'
import { emissions, json, minuteOf, postsOf, type Site } from './site.ts'

/** YYC's own feed: minutes as text by the name of the checkpoint, local times with six digits of a second's fraction. */
export const yyc: Site = {
  hosts: ['rmsflightdata.yyc.com:8091'],
  answer: ({ path }, stage) => {
    if (path !== '/api/currentwaittimes') return null
    const minute = minuteOf(stage.now)
    // Within the last second of the minute before, so that no reading is of the future.
    const at = minute - 1 - Math.floor(999 * chance(keyOf('YYC scan'), minute / 60_000))
    const posts = postsOf('yyc-rms', stage)
    const waittimes = Object.fromEntries(posts.map(({ queue, posting }) => [queue.checkpoint, wordOf(posting)]))
    const answer = { updatedAt: `${local(at)}456`, lastScan: `${local(at - 9_000)}000`, waittimes }
    return { ...json(answer), emits: emissions(posts, at) }
  },
}

const local = (ms: number) =>
  DateTime.fromMillis(ms, { zone: 'America/Edmonton' }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS")

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return String(posting.minutes)
  return posting.says === 'closed' ? 'Closed' : '-'
}
