import { HOUR_MS } from '../../../config/domain.ts'
import { chance, drift, keyOf } from '../model/noise.ts'
import type { Post, Stage, Wait } from './site.ts'

/** Whether something that happens now and then happens in the running spell (ten minutes, unless told). */
export function sometimes(
  { world, now }: Pick<Stage, 'world' | 'now'>,
  name: string,
  share: number,
  spell_ms = 600_000,
): boolean {
  return chance(keyOf(`${world.seed} ${name}`), Math.floor(now / spell_ms)) < share
}

/** The post of a queue of which its site says nothing. */
export const silent = (post: Post): Post => ({ ...post, posting: { says: 'silent', minutes: null } })

/** Posts of a site that has no word for a closed queue: it says nothing of one. */
export const withoutClosed = (posts: Post[]): Post[] =>
  posts.map((post) => (post.posting.says === 'closed' ? silent(post) : post))

/** Seconds that round to the whole minutes that the world knows, others in each minute and never fewer than `least`. */
export function secondsAround(queueId: string, minutes: number, at: number, least = 0): number {
  const within = Math.floor(60 * chance(keyOf(`${queueId} seconds`), Math.floor(at / 60_000)))
  return Math.max(least, minutes * 60 - 30 + within)
}

/** The posts that are of open queues, for sites that leave a closed one out. */
export const openOnes = (posts: Post[]): Post[] => posts.filter(({ posting }) => posting.says !== 'closed')

/** Posts of a site that publishes seconds: minutes with a fraction, which round to what the world knows. */
export function toTheSecond(posts: Post[], { now }: Stage): Post[] {
  return posts.map((post) => {
    const { queue, posting } = post
    if (posting.says !== 'minutes') return post
    return { ...post, posting: { says: 'minutes', minutes: secondsAround(queue.id, posting.minutes, now) / 60 } }
  })
}

/** The seconds that such a post is published with; null where nothing is said. */
export const secondsOf = ({ posting }: Post): number | null =>
  posting.minutes === null ? null : Math.round(posting.minutes * 60)

/** The seconds that a feed publishes of a post in whole minutes; null where it has no wait. */
export const secondsSaid = ({ queue, posting }: Post, at: number): number | null =>
  posting.minutes === null ? null : secondsAround(queue.id, posting.minutes, at)

/** Minutes of a row that is no queue of ours (people who change planes, another office), so that it looks like one. */
export const minutesElsewhere = ({ world, now }: Stage, name: string, usual: number): number =>
  Math.round(usual + 0.7 * usual * drift(keyOf(`${world.seed} ${name}`), now / HOUR_MS))

/** The number that a site still shows of a queue that has closed. */
export const oldMinutes = ({ queue }: Post): number => 2 + (keyOf(`${queue.id} old`) % 15)

/** The band of some `width` in minutes that holds a wait; from `most` on it has no upper end. */
export function bandOfWidth(minutes: number, width: number, most = Number.POSITIVE_INFINITY) {
  const low = Math.min(most, Math.floor(minutes / width) * width)
  return { low, high: low >= most ? null : low + width }
}

/** A wait that is published as one number. */
export const exactly = (minutes: number): Wait => ({
  wait_minutes: minutes,
  wait_minutes_low: null,
  wait_minutes_high: null,
})

/** A wait that is published between two bounds; null for a bound that is not there. */
export const between = (low: number | null, high: number | null): Wait => ({
  wait_minutes: null,
  wait_minutes_low: low,
  wait_minutes_high: high,
})

/** A wait that is published as a band only. */
export const banded = ({ low, high }: { low: number | null; high: number | null }): Wait => between(low, high)
