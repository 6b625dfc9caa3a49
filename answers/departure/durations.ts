import { LRUCache } from 'lru-cache'
import { getOrCreate, memoizeByObject } from '../../config/once.ts'
import { HOUR_MS, MINUTE_MS, startOfHour } from '../../config/vocabulary.ts'
import { type WaitQuantiles, waitQuantile } from '../../forecasting/quantiles/wait-quantile.ts'

/** Distributions of how long a step takes, in whole minutes. */

/** Probabilities of `first`, `first` + 1, `first` + 2 … minutes. They add up to 1. */
export interface Minutes {
  first: number
  probabilities: Float64Array
}

/** A wait is cut off where fewer than this part of the cases lies beyond. */
const TAIL = 0.001
/** No step takes longer. */
const MAX_MINUTES = 600
/** How many equally likely values stand for a wait: of an odd multiple of five, values lie at p10, p50 and p90 themselves. */
const DRAWS = 55

/** A step that takes a fixed time; fractions of a minute count as a whole one. */
export function fixedMinutes(minutes: number): Minutes {
  return { first: Math.ceil(minutes), probabilities: Float64Array.of(1) }
}

/** A quantile function from ascending fractions and values, linear between them and constant beyond. */
export function tableQuantile(fractions: readonly number[], values: readonly number[], fraction: number): number {
  const above = fractions.findIndex((share) => share >= fraction)
  if (above === 0) return values[0] ?? 0
  if (above === -1) return values.at(-1) ?? 0
  const [from = 0, to = 1] = [fractions[above - 1], fractions[above]]
  const [low = 0, high = 0] = [values[above - 1], values[above]]
  return low + ((high - low) * (fraction - from)) / (to - from)
}

/** The middles of `count` equally likely parts of a distribution. */
const middles = (count: number) => Float64Array.from({ length: count }, (_, part) => (part + 0.5) / count)

const WAIT_PARTS = middles(DRAWS)
const FACTOR_PARTS = middles(20)
const NO_FACTOR = Float64Array.of(1)

/** The quantile function of a factor, at the parts that stand for it. */
export type Factors = Float64Array
export const factorsOf = (ratio: (fraction: number) => number): Factors => FACTOR_PARTS.map((part) => ratio(part))

/** Distributions of waits by their quantiles, of each lane. The hours of an airport come back in each question about it. */
const known = memoizeByObject((_factors: Factors) => new LRUCache<string, Minutes>({ max: 2_000 }))

/**
 * The distribution of a wait. With `factors` that are independent of it: the distribution of (wait + 1) × factor − 1, as the
 * factors of single lanes are measured.
 */
export function waitMinutes(quantiles: WaitQuantiles, factors: Factors = NO_FACTOR): Minutes {
  const key = `${quantiles.p10} ${quantiles.p50} ${quantiles.p90}`
  return getOrCreate(known(factors), key, () => distributionOf(quantiles, factors))
}

/** The distribution of equally likely values; a value between two minutes counts for both in proportion. */
function distributionOf(quantiles: WaitQuantiles, factors: Factors): Minutes {
  const waits = WAIT_PARTS.map((part) => waitQuantile(quantiles, part) + 1)
  const largest = Math.max(0, waits.at(-1)! * Math.max(...factors) - 1)
  const longest = Math.min(MAX_MINUTES, Math.ceil(largest))
  const distribution = new Float64Array(longest + 2)
  const weight = 1 / (waits.length * factors.length)
  for (const wait of waits)
    for (const factor of factors) {
      const value = Math.max(0, wait * factor - 1)
      const minute = Math.min(longest, Math.floor(value))
      const above = Math.min(1, value - minute)
      distribution[minute]! += weight * (1 - above)
      distribution[minute + 1]! += weight * above
    }
  return withoutTail(distribution)
}

/** A wait is worked out anew for each part of this many minutes. */
const PART_MS = 15 * MINUTE_MS

/**
 * The distribution of a wait with known quantiles for each UTC hour, by instant. Between the middles of two hours the quantiles
 * are interpolated; where the nearer neighbour is not known, those of the hour itself count for all of it.
 */
export function hourlyMinutes(
  quantilesAt: (hour: number) => WaitQuantiles | null,
  otherwise: (hour: number) => WaitQuantiles,
  factors?: Factors,
): (instant: number) => Minutes {
  const byPart = new Map<number, Minutes>()
  return (instant) => {
    const part = Math.floor(instant / PART_MS)
    return getOrCreate(byPart, part, () =>
      waitMinutes(between(quantilesAt, otherwise, (part + 0.5) * PART_MS), factors),
    )
  }
}

function between(
  quantilesAt: (hour: number) => WaitQuantiles | null,
  otherwise: (hour: number) => WaitQuantiles,
  instant: number,
): WaitQuantiles {
  const hour = startOfHour(instant)
  const own = quantilesAt(hour)
  if (own === null) return otherwise(hour)
  const fromMiddle = (instant - hour) / HOUR_MS - 0.5
  const near = quantilesAt(hour + Math.sign(fromMiddle) * HOUR_MS) ?? own
  const share = Math.abs(fromMiddle)
  const mix = (key: keyof WaitQuantiles) => own[key] + (near[key] - own[key]) * share
  return { p10: mix('p10'), p50: mix('p50'), p90: mix('p90') }
}

/** Moves the last part of a distribution to the minute at which it begins, and drops what is impossible at its start. */
function withoutTail(distribution: Float64Array): Minutes {
  let beyond = 0
  let last = distribution.length - 1
  while (last > 0 && beyond + (distribution[last] ?? 0) < TAIL) {
    beyond += distribution[last] ?? 0
    last -= 1
  }
  const first = distribution.findIndex((probability) => probability > 0)
  const probabilities = distribution.slice(first, last + 1)
  const end = probabilities.length - 1
  probabilities[end] = (probabilities[end] ?? 0) + beyond
  return { first, probabilities }
}

/** The first minute by which at least this fraction of the cases is through. */
export function quantileMinutes({ first, probabilities }: Minutes, fraction: number): number {
  let sum = 0
  for (let index = 0; index < probabilities.length; index += 1) {
    sum += probabilities[index]!
    if (sum >= fraction - 1e-9) return first + index
  }
  return first + probabilities.length - 1
}

/** The probability that a step takes longer than some minutes. */
export function chanceOver({ first, probabilities }: Minutes, minutes: number): number {
  let sum = 0
  for (const [index, probability] of probabilities.entries()) if (first + index > minutes) sum += probability
  return sum
}
