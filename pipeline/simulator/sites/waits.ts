import { secondsOf } from '../oddities.ts'
import type { Emission, Post } from './site.ts'

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

/** The seconds that a feed publishes of a post; null where it has no wait. */
export const secondsSaid = ({ queue, posting }: Post, at: number): number | null =>
  posting.minutes === null ? null : secondsOf(queue.id, posting.minutes, at)

/** The posts that are of open queues, for sites that have no word for a closed one. */
export const openOnes = (posts: Post[]): Post[] => posts.filter(({ posting }) => posting.says !== 'closed')
