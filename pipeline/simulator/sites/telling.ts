import { HOUR_MS } from '../../../config/domain.ts'
import { chance, drift, keyOf } from '../noise.ts'
import { minuteOf, type Post, type Stage, type Wait } from './site.ts'

/** Whether something that happens now and then happens in the running spell (ten minutes, unless told). */
export function nowAndThen({ world, now }: Stage, name: string, share: number, spell_ms = 600_000): boolean {
  return chance(keyOf(`${world.seed} ${name}`), Math.floor(now / spell_ms)) < share
}

/** The post of a queue of which its site says nothing. */
export const silent = (post: Post): Post => ({ ...post, posting: { says: 'silent', minutes: null } })

/** Posts of a site that has no word for a closed queue: it says nothing of one. */
export const withoutClosed = (posts: Post[]): Post[] =>
  posts.map((post) => (post.posting.says === 'closed' ? silent(post) : post))

/** Posts of a site that publishes seconds: minutes with a fraction, which round to what the world knows. */
export function toTheSecond(posts: Post[], { now }: Stage): Post[] {
  return posts.map((post) => {
    const { queue, posting } = post
    if (posting.says !== 'minutes') return post
    const aside = Math.floor(59 * chance(keyOf(`${queue.id} seconds`), minuteOf(now) / 60_000)) - 29
    return { ...post, posting: { says: 'minutes', minutes: Math.max(0, posting.minutes * 60 + aside) / 60 } }
  })
}

/** The seconds that such a post is published with; null where nothing is said. */
export const secondsOf = ({ posting }: Post): number | null =>
  posting.minutes === null ? null : Math.round(posting.minutes * 60)

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

/** A wait that is published as a band only. */
export const banded = ({ low, high }: { low: number | null; high: number | null }): Wait => ({
  wait_minutes: null,
  wait_minutes_low: low,
  wait_minutes_high: high,
})
