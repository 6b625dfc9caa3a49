import { chance, keyOf } from '../noise.ts'
import type { Emission, Post, Stage } from './site.ts'

type Wait = Pick<Emission, 'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high'>

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

/** Whether something odd, of some share of all spells of ten minutes, is so at an instant. */
export const oddly = (what: string, share: number, { world, now }: Stage): boolean =>
  chance(keyOf(`${world.seed} ${what}`), Math.floor(now / 600_000)) < share

/** What a feed in seconds publishes of whole minutes: seconds that round to them, other ones each minute. */
export function secondsOf({ queue, posting }: Post, at: number): number | null {
  if (posting.says !== 'minutes') return null
  const within = Math.floor(60 * chance(keyOf(queue.id), Math.floor(at / 60_000))) - 30
  return Math.max(0, 60 * posting.minutes + within)
}

/** The posts that are of open queues, for sites that have no word for a closed one. */
export const openOnes = (posts: Post[]): Post[] => posts.filter(({ posting }) => posting.says !== 'closed')
