import { chance, keyOf } from '../model/noise.ts'
import { minutesElsewhere, secondsOf, sometimes, toTheSecond } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** Filters for people who change planes: the same list has them. */
const TRANSFER = ['AF2', 'AF3', 'EF-T', 'GH-T', 'NS-S', 'S-NS']
/** The lowest wait that it shows. */
const FLOOR_SECONDS = 60

/** AMS: seconds by filter, no time of observation, 0 while a filter is shut, spikes of three hours. */
export const schiphol: Site = {
  hosts: ['www.schiphol.nl'],
  answer: ({ path }, stage) => {
    if (path !== '/api/proxy/v3/waittimes/security-filters') return null
    const posts = toTheSecond(postsOf('ams-schiphol', stage), stage).map((post) => shown(post, stage))
    const filters = posts
      .filter(({ posting }) => posting.says !== 'silent')
      .map((post) => [post.queue.checkpoint, secondsOf(post) ?? 0] as const)
    const transfer = TRANSFER.map(
      (code) => [code, Math.max(FLOOR_SECONDS, 60 * minutesElsewhere(stage, code, 4))] as const,
    )
    const answer = [...transfer, ...filters].map(([code, waitTimeInSeconds]) => [code, { waitTimeInSeconds }])
    const open = posts.filter(({ posting }) => posting.says === 'minutes')
    return { ...json(Object.fromEntries(answer)), emits: emissions(open, null) }
  },
}

/** A post with the floor, or with a number that no queue can have (11,338 s was seen 2023-07). */
function shown(post: Post, stage: Stage): Post {
  if (post.posting.says !== 'minutes') return post
  const spike = sometimes(stage, `${post.queue.id} spike`, 0.004)
  const seconds = spike ? 10_800 + Math.floor(900 * chance(keyOf(post.queue.id), stage.now / 60_000)) : secondsOf(post)!
  return { ...post, posting: { says: 'minutes', minutes: Math.max(FLOOR_SECONDS, seconds) / 60 } }
}
