import type { Compared } from './compared-airport.ts'

/** Whether a wait is known of the airport itself: waits are compared where all are. */
export const hasOwnWait = ({ security }: Compared) => security.wait_minutes !== null && security.basis !== 'typical'

export const waitOf = ({ security }: Compared) => security.wait_minutes ?? Number.POSITIVE_INFINITY

/** Waits that differ by less than this are alike for a traveller: feeds publish whole minutes and round them. */
const ALIKE_MINUTES = 3

/** The shortest and the longest wait of an airport: one figure twice where its terminals are alike. */
function rangeOf({ security: { wait_minutes, spread } }: Compared): { low: number; high: number } {
  if (spread?.standard_lanes)
    return { low: spread.standard_lanes.shortest_minutes, high: spread.standard_lanes.longest_minutes }
  return { low: wait_minutes ?? Number.POSITIVE_INFINITY, high: wait_minutes ?? Number.POSITIVE_INFINITY }
}

/** Whether both ends of the ranges of two airports are alike. */
function isAlike(first: Compared, other: Compared): boolean {
  const [a, b] = [rangeOf(first), rangeOf(other)]
  return Math.abs(a.low - b.low) < ALIKE_MINUTES && Math.abs(a.high - b.high) < ALIKE_MINUTES
}

/** Whether an airport with the shorter average has a notably longer wait at some terminal. */
export const dependsOnTerminal = (best: Compared, other: Compared) =>
  rangeOf(best).high - rangeOf(other).low >= ALIKE_MINUTES

/** The airports whose wait is alike with that of the first, or shorter at some terminal. The list has the known waits, the shortest first. */
export const alikeWithFirst = ([best, ...others]: Compared[]): Compared[] =>
  others.filter((other) => best && (isAlike(best, other) || dependsOnTerminal(best, other)))

export const knownByWait = (airports: Compared[]) =>
  airports.filter(({ security }) => security.wait_minutes !== null).sort((a, b) => waitOf(a) - waitOf(b))

/** The airport with the shortest wait; null when another waits as long or none is known. */
export function shortestWait(airports: Compared[]): string | null {
  const [first, second] = knownByWait(airports)
  return first && (!second || waitOf(first) < waitOf(second)) ? first.airport : null
}

export const isObserved = ({ security }: Compared) => security.basis === 'measured' || security.basis === 'reported'
