import { chance, keyOf } from './noise.ts'
import type { Stage } from './sites/site.ts'

const SPELL_MS = 600_000

/** Whether an oddity of a site is on now: for ten minutes at a time, in a share of them, by seed and the oddity's name. */
export function sometimes({ world, now }: Pick<Stage, 'world' | 'now'>, oddity: string, share: number): boolean {
  return chance(keyOf(`${world.seed} ${oddity}`), Math.floor(now / SPELL_MS)) < share
}

/** Seconds that round to the whole minutes that the world knows, others in each minute and never fewer than `least`. */
export function secondsOf(queueId: string, minutes: number, at: number, least = 0): number {
  const within = Math.floor(60 * chance(keyOf(`${queueId} seconds`), Math.floor(at / 60_000)))
  return Math.max(least, minutes * 60 - 30 + within)
}
