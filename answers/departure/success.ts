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
  /** Probability that the step is open at a minute; absent: always. Earlier arrivals wait for the next hour of the clock. */
  open?: { probability: (minute: number) => number; next: (minute: number) => number } | undefined
}

const CERTAIN = 1 - 1e-9

/**
 * The probability of having done some steps in time, by the minute of the clock at which the first is begun. It is computed from
 * the last minute back to the first requested one: the chance of a minute is the mean of the chances of the minutes at which the
 * step may be done.
 */
export class Success {
  /** The first of the steps, and what follows it; null of no steps, whose values are known from the start. */
  readonly #first: { step: TimedStep; after: Success } | null
  readonly #values: Float64Array
  /** The last minute by which the step may be done. */
  #doneBy: number
  /** From this minute on the values are known. */
  #known: number

  /** @param minutes Length of the clock. */
  constructor(minutes: number, first: { step: TimedStep; after: Success } | null = null) {
    this.#first = first
    this.#values = new Float64Array(minutes + 1)
    this.#doneBy = minutes
    this.#known = 0
    if (first === null) {
      this.#values.fill(1)
      return
    }
    const { step, after } = first
    this.#doneBy = Math.min(minutes, step.done_by ?? minutes)
    while (this.#doneBy > 0 && after.probabilityAt(this.#doneBy) === 0) this.#doneBy -= 1
    this.#known = Math.min(this.#doneBy, step.begin_by ?? minutes) + 1
  }

  /** Returns the success of this step followed by the current steps. */
  before(step: TimedStep): Success {
    return new Success(this.#values.length - 1, { step, after: this })
  }

  probabilityAt(minute: number): number {
    return this.#from(minute)[minute] ?? 0
  }

  /** The values; those from a minute on are known. */
  #from(minute: number): Float64Array {
    while (this.#known > Math.max(0, minute)) this.#workOut(this.#known - 1)
    return this.#values
  }

  #workOut(minute: number): void {
    const { step, after: next_steps } = this.#first!
    const { open, takes } = step
    const values = this.#values
    const probability = open?.probability(minute) ?? 1
    let chance = 0
    if (probability > 0) {
      const { first, probabilities } = takes(minute)
      const from = minute + first
      const after = next_steps.#from(from)
      const count = Math.min(probabilities.length, this.#doneBy - from + 1)
      for (let index = 0; index < count; index += 1) chance += probabilities[index]! * after[from + index]!
    }
    const next = probability < 1 ? (open?.next(minute) ?? values.length) : minute
    // A later minute is known already.
    const begun = probability * chance + (next > minute ? (1 - probability) * (values[next] ?? 0) : 0)
    // Early arrivals may let others go first, so arriving early never hurts.
    const best = Math.max(begun, values[minute + 1] ?? 0)
    values[minute] = best
    this.#known = minute
    if (best <= CERTAIN) return
    // Earlier minutes can only be as certain.
    values.fill(best, 0, minute)
    this.#known = 0
  }
}

/** The same from each step on: of all steps, of all but the first, and so on; last, of none. */
export function successFromEach(steps: readonly TimedStep[], minutes: number): Success[] {
  const from = [new Success(minutes)]
  for (const step of steps.toReversed()) from.unshift(from[0]!.before(step))
  return from
}

/** The success of all steps, one after another. */
export const successOf = (steps: readonly TimedStep[], minutes: number): Success => successFromEach(steps, minutes)[0]!

/** The last minute up to `latest` with at least this probability; null when there is none from `earliest` on. */
export function latestMinute(success: Success, probability: number, earliest: number, latest: number): number | null {
  for (let minute = latest; minute >= Math.max(0, earliest); minute -= 1)
    if (success.probabilityAt(minute) >= probability - 1e-9) return minute
  return null
}

/** The minute from which a step serves somebody who is there at `arrival`: it may rather be closed until then. */
export function servedFrom({ open }: TimedStep, arrival: number): number {
  let minute = arrival
  while (open && open.probability(minute) < 0.5 && open.next(minute) > minute && open.next(minute) < minute + 1_440)
    minute = open.next(minute)
  return minute
}

/** The median minute at which each step begins for somebody who leaves at `minute` and is on time, and the minute of the end. */
export function medianMinutes(steps: readonly TimedStep[], minute: number): number[] {
  const begins = [minute]
  for (const step of steps) {
    const begin = servedFrom(step, begins.at(-1) ?? minute)
    begins.push(begin + quantileMinutes(step.takes(begin), 0.5))
  }
  return begins
}
