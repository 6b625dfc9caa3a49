import { z } from 'zod'
import { solvePositiveDefinite } from '../statistics/linear-system.ts'
import { clamp, logistic } from '../statistics/statistics.ts'
import { isWithin5, type Quantiles } from './quantiles.ts'

/**
 * The probability that a wait is within 5 minutes of the forecast median: a logistic regression on the logarithm of the width p90 − p10
 * before calibration, and on the log-odds of the share of recent waits of this local hour within 5 minutes of the rule.
 * It never rises with the width and never falls with the share.
 */
export const Confidence = z.strictObject({
  intercept: z.number(),
  log_width: z.number().max(0),
  near_odds: z.number().min(0),
})
export type Confidence = z.infer<typeof Confidence>

/** Past forecasts before calibration with their share of near waits and the observed wait, NaN if it is not known; parallel arrays. */
export interface PastConfidenceRows extends Quantiles {
  near_share: Float64Array
  truth: Float64Array
}

/** A forecast hour before calibration. */
interface ConfidenceRow {
  p10: number
  p90: number
  /** Share of the recent waits of this local hour within 5 minutes of the rule. */
  near_share: number
}

/** No finite sample proves certainty, so probabilities stay within these bounds. */
export const MIN_PROBABILITY = 0.01
export const MAX_PROBABILITY = 0.99
/** Above this number only every few rows are learned from: rows of one hour say nearly the same. */
const MAX_ROWS = 60_000
/** Strength with which the coefficients are drawn to zero, as if by a few rows: the coefficients of a sure thing would have no bound. */
const RIDGE = 1
const MAX_STEPS = 50
const MIN_GAIN = 1e-9

const INPUTS = 3

/** The inputs of a row; the first is constant. */
function inputsOf({ p10, p90, near_share }: ConfidenceRow): [number, number, number] {
  const share = MIN_PROBABILITY + (MAX_PROBABILITY - MIN_PROBABILITY) * near_share
  return [1, Math.log(1 + p90 - p10), Math.log(share / (1 - share))]
}

/** The probability of a forecast hour. */
export function confidenceAt({ intercept, log_width, near_odds }: Confidence, row: ConfidenceRow): number {
  const [, width, odds] = inputsOf(row)
  return clamp(logistic(intercept + log_width * width + near_odds * odds), MIN_PROBABILITY, MAX_PROBABILITY)
}

/** Learns the coefficients from past forecasts of several series; without any known truth every probability is one half. */
export function learnConfidence(series: readonly PastConfidenceRows[]): Confidence {
  const { inputs, hits } = examplesOf(series)
  const [intercept = 0, log_width = 0, near_odds = 0] = fitted({ inputs, hits }, [true, true, true])
  // An input with the wrong sign only fits noise, so the others are fitted without it.
  if (log_width <= 0 && near_odds >= 0) return rounded(intercept, log_width, near_odds)
  const used = [true, log_width <= 0, near_odds >= 0]
  const [again = 0, width = 0, near = 0] = fitted({ inputs, hits }, used)
  return rounded(again, Math.min(0, width), Math.max(0, near))
}

/** Six digits are more than the rows know, and hide the last bits of the arithmetic. */
function rounded(intercept: number, log_width: number, near_odds: number): Confidence {
  const digits = (value: number) => Number(value.toFixed(6))
  return { intercept: digits(intercept), log_width: digits(log_width), near_odds: digits(near_odds) }
}

interface Examples {
  /** INPUTS values a row. */
  inputs: Float64Array
  hits: Uint8Array
}

function examplesOf(series: readonly PastConfidenceRows[]): Examples {
  let count = 0
  for (const { truth } of series) for (const wait of truth) if (!Number.isNaN(wait)) count++
  const step = Math.max(1, Math.ceil(count / MAX_ROWS))
  const rows = Math.ceil(count / step)
  const inputs = new Float64Array(rows * INPUTS)
  const hits = new Uint8Array(rows)
  let known = 0
  for (const past of series)
    for (let row = 0; row < past.truth.length; row++) {
      const wait = past.truth[row]!
      if (Number.isNaN(wait) || known++ % step !== 0) continue
      const sample = (known - 1) / step
      const near_share = past.near_share[row]!
      inputs.set(inputsOf({ p10: past.p10[row]!, p90: past.p90[row]!, near_share }), sample * INPUTS)
      hits[sample] = isWithin5(wait, past.p50[row]!) ? 1 : 0
    }
  return { inputs, hits }
}

/** Newton's method on the penalised likelihood, which is concave; a step that would lower it is halved. */
function fitted({ inputs, hits }: Examples, used: readonly boolean[]): number[] {
  let beta = Array<number>(INPUTS).fill(0)
  const probabilities = new Float64Array(hits.length)
  let current = likelihood(beta, { inputs, hits }, probabilities)
  for (let round = 0; round < MAX_STEPS; round++) {
    const step = newtonStep(beta, { inputs, hits }, probabilities, used)
    let share = 1
    let next = beta
    let gain = Number.NEGATIVE_INFINITY
    for (; share > 1e-6 && !(gain >= 0); share /= 2) {
      next = beta.map((value, k) => value + share * step[k]!)
      gain = likelihood(next, { inputs, hits }, probabilities) - current
    }
    if (!(gain >= 0)) return beta
    beta = next
    current += gain
    if (gain < MIN_GAIN * (1 + Math.abs(current))) return beta
  }
  return beta
}

function oddsOf(beta: readonly number[], inputs: Float64Array, row: number): number {
  const offset = row * INPUTS
  return beta[0]! * inputs[offset]! + beta[1]! * inputs[offset + 1]! + beta[2]! * inputs[offset + 2]!
}

/** The penalised likelihood of coefficients; writes the probability of each row. */
function likelihood(beta: readonly number[], { inputs, hits }: Examples, probabilities: Float64Array): number {
  let sum = -0.5 * RIDGE * beta.reduce((squares, value) => squares + value ** 2, 0)
  for (let row = 0; row < hits.length; row++) {
    const odds = oddsOf(beta, inputs, row)
    const small = Math.exp(-Math.abs(odds))
    probabilities[row] = (odds < 0 ? small : 1) / (1 + small)
    // ln(1 + e^x) without overflow, x being the odds of what did not happen.
    sum -= Math.max(0, hits[row] === 1 ? -odds : odds) + Math.log(1 + small)
  }
  return sum
}

/** A step from coefficients whose probabilities are given; the first input is 1. */
function newtonStep(
  beta: readonly number[],
  { inputs, hits }: Examples,
  probabilities: Float64Array,
  used: readonly boolean[],
): Float64Array {
  const slope = Float64Array.from(beta, (value) => -RIDGE * value)
  const matrix = new Float64Array(INPUTS * INPUTS)
  let [slope0, slope1, slope2] = [0, 0, 0]
  let [sum00, sum10, sum11, sum20, sum21, sum22] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < hits.length; row++) {
    const first = inputs[row * INPUTS + 1]!
    const second = inputs[row * INPUTS + 2]!
    const probability = probabilities[row]!
    const rest = hits[row]! - probability
    slope0 += rest
    slope1 += rest * first
    slope2 += rest * second
    const weight = probability * (1 - probability)
    sum00 += weight
    sum10 += weight * first
    sum11 += weight * first * first
    sum20 += weight * second
    sum21 += weight * second * first
    sum22 += weight * second * second
  }
  matrix.set([sum00 + RIDGE, 0, 0, sum10, sum11 + RIDGE, 0, sum20, sum21, sum22 + RIDGE])
  for (const [k, sum] of [slope0, slope1, slope2].entries()) slope[k]! += sum
  for (let k = 0; k < INPUTS; k++) {
    if (used[k]) continue
    slope[k] = 0
    for (let other = 0; other < INPUTS; other++) {
      if (other < k) matrix[k * INPUTS + other] = 0
      if (other > k) matrix[other * INPUTS + k] = 0
    }
  }
  return solvePositiveDefinite(matrix, slope)
}
