import { type Minutes, quantileMinutes } from './durations.ts'

/** The probability of catching a flight by the minute at which one leaves. */

/** A step on the way, as the calculation needs it. Times are minutes on one clock, whose 0 is the first minute considered. */
export interface TimedStep {
  name: string
  /** How long the step takes for somebody who begins it at a minute. */
  takes: (minute: number) => Minutes
  /** The step must be begun by this minute. */
  begin_by?: number | undefined
  /** The step must be done by this minute. */
  done_by?: number | undefined
  /** Probability that the step is open at a minute; absent: always. Who comes before waits for the next hour of the clock. */
  open?: { probability: (minute: number) => number; next: (minute: number) => number } | undefined
}

/**
 * For every minute of the clock, the probability of having done all steps in time when the first is begun then. It is worked
 * out from the last step back to the first: the chance of a minute is the mean of the chances of the minutes at which the
 * step may be done.
 */
export function successByMinute(steps: readonly TimedStep[], minutes: number): Float64Array {
  return successBefore(steps, new Float64Array(minutes + 1).fill(1))
}

/** The same of steps after which the rest has these probabilities; minutes before `earliest` are not worked out. */
export function successBefore(steps: readonly TimedStep[], after: Float64Array, earliest = 0): Float64Array {
  return steps.reduceRight((success, step) => beforeStep(step, success, earliest), after)
}

/** The same from each step on: of all steps, of all but the first, and so on; last, of none. */
export function successFromEach(steps: readonly TimedStep[], minutes: number): Float64Array[] {
  const from: Float64Array[] = [new Float64Array(minutes + 1).fill(1)]
  for (const step of steps.toReversed()) from.unshift(beforeStep(step, from[0]!, 0))
  return from
}

const CERTAIN = 1 - 1e-9

function beforeStep(step: TimedStep, after: Float64Array, earliest: number): Float64Array {
  const last = after.length - 1
  const before = new Float64Array(after.length)
  let doneBy = Math.min(last, step.done_by ?? last)
  while (doneBy > 0 && after[doneBy] === 0) doneBy -= 1
  for (let minute = Math.min(doneBy, step.begin_by ?? last); minute >= earliest; minute -= 1) {
    const open = step.open?.probability(minute) ?? 1
    let chance = 0
    if (open > 0) {
      const { first, probabilities } = step.takes(minute)
      const from = minute + first
      const count = Math.min(probabilities.length, doneBy - from + 1)
      for (let index = 0; index < count; index += 1) chance += probabilities[index]! * after[from + index]!
    }
    const next = open < 1 ? (step.open?.next(minute) ?? last + 1) : minute
    // `before` of a later minute is known already.
    const begun = open * chance + (next > minute ? (1 - open) * (before[next] ?? 0) : 0)
    // Who comes early may let others go first, so that coming early never harms.
    before[minute] = Math.max(begun, before[minute + 1] ?? 0)
    // Earlier minutes can only be as certain.
    if ((before[minute] ?? 0) > CERTAIN) {
      before.fill(before[minute] ?? 1, 0, minute)
      break
    }
  }
  return before
}

/** The last minute up to `latest` with at least this probability; null when there is none from `earliest` on. */
export function latestMinute(
  success: Float64Array,
  probability: number,
  earliest: number,
  latest: number,
): number | null {
  for (let minute = Math.min(latest, success.length - 1); minute >= Math.max(0, earliest); minute -= 1)
    if ((success[minute] ?? 0) >= probability - 1e-9) return minute
  return null
}

/** The median minute at which each step begins for somebody who leaves at `minute` and is on time, and the minute of the end. */
export function medianMinutes(steps: readonly TimedStep[], minute: number): number[] {
  const begins = [minute]
  for (const step of steps) {
    let at = begins.at(-1) ?? minute
    while (step.open && step.open.probability(at) < 0.5 && step.open.next(at) > at && step.open.next(at) < at + 1_440)
      at = step.open.next(at)
    begins.push(at + quantileMinutes(step.takes(at), 0.5))
  }
  return begins
}
