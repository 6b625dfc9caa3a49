import { stepsAround } from '../../forecasting/assimilation/assimilate.ts'
import type { Step } from '../../forecasting/assimilation/learned.ts'
import type { AssimilationExample } from './examples.ts'

/** Hours from the observation to the middle of the forecast hour at which the curves are learned. */
export const LEADS = [0.5, 1, 1.5, 2, 3, 4, 6, 9, 12, 18, 24] as const

/** Coefficients of one quantile at one lead: share of the issued distance from the median, of a rise, of a fall. */
const PER_LEAD = 3
/** An airport's examples weigh together at most as much as this many of them at weight 1, so that long series do not decide alone. */
const HALF_WEIGHT_EXAMPLES = 3_000
/** How much neighbouring leads are held together, in units of an airport's weight. */
const SMOOTHNESS = 0.3
const ROUNDS = 25
/** Errors below this many minutes count as this in a round, so that no example decides alone. */
const MIN_ERROR = 0.05

/**
 * Fits the curves by quantile regression: for p10, p50 and p90 the smallest pinball loss on the examples, by iteratively
 * reweighted least squares. The loss is convex, so the fit has one answer and needs no seed.
 */
export function fitSteps(examples: readonly AssimilationExample[]): Step[] {
  const weights = airportWeights(examples)
  const [p10, p50, p90] = ([0.1, 0.5, 0.9] as const).map((quantile) => fitQuantile(examples, weights, quantile))
  return LEADS.map((lead_hours, k) => {
    const at = (beta: Float64Array | undefined) => Array.from(beta!.subarray(k * PER_LEAD, (k + 1) * PER_LEAD), rounded)
    const [low = [], middle = [], high = []] = [at(p10), at(p50), at(p90)]
    return {
      lead_hours,
      p10: { spread: low[0]!, above: low[1]!, below: low[2]! },
      p50: { above: middle[1]!, below: middle[2]! },
      p90: { spread: high[0]!, above: high[1]!, below: high[2]! },
    }
  })
}

const rounded = (value: number) => Number(value.toFixed(3))

function airportWeights(examples: readonly AssimilationExample[]): Float64Array {
  const counts = new Map<string, number>()
  for (const { iata } of examples) counts.set(iata, (counts.get(iata) ?? 0) + 1)
  return Float64Array.from(examples, ({ iata }) => 1 / (counts.get(iata)! + HALF_WEIGHT_EXAMPLES))
}

/** Curves that change nothing. */
const ISSUED_STEPS: Step[] = LEADS.map((lead_hours) => ({
  lead_hours,
  p10: { spread: 1, above: 0, below: 0 },
  p50: { above: 0, below: 0 },
  p90: { spread: 1, above: 0, below: 0 },
}))

/** Inputs that are not zero by construction: three at the lead before, three at the lead after. */
const PER_ROW = 2 * PER_LEAD

/** The inputs of all examples for one quantile, PER_ROW of them an example: their coefficients and values. */
function sparseInputs(examples: readonly AssimilationExample[], quantile: number) {
  const coefficients = new Uint8Array(examples.length * PER_ROW)
  const values = new Float64Array(examples.length * PER_ROW)
  examples.forEach((example, row) => {
    const carried = example.deviation.minutes * example.ratio
    const bound = quantile < 0.5 ? example.p10 : example.p90
    const inputs = [quantile === 0.5 ? 0 : bound - example.p50, Math.max(0, carried), Math.min(0, carried)]
    const [before, after, fraction] = stepsAround(ISSUED_STEPS, example.lead_hours)
    inputs.forEach((input, k) => {
      const place = row * PER_ROW + k
      coefficients[place] = ISSUED_STEPS.indexOf(before) * PER_LEAD + k
      values[place] = input * (1 - fraction)
      coefficients[place + PER_LEAD] = ISSUED_STEPS.indexOf(after) * PER_LEAD + k
      values[place + PER_LEAD] = input * fraction
    })
  })
  return { coefficients, values }
}

function fitQuantile(examples: readonly AssimilationExample[], weights: Float64Array, quantile: number): Float64Array {
  const size = LEADS.length * PER_LEAD
  const { coefficients, values } = sparseInputs(examples, quantile)
  const targets = Float64Array.from(examples, ({ truth, p50 }) => truth - p50)
  let beta: Float64Array = Float64Array.from({ length: size }, (_, k) => (k % PER_LEAD === 0 ? 1 : 0))
  for (let round = 0; round < ROUNDS; round++) {
    const matrix = smoothnessMatrix(size)
    const right = new Float64Array(size)
    for (let row = 0; row < targets.length; row++) {
      const first = row * PER_ROW
      let predicted = 0
      for (let j = first; j < first + PER_ROW; j++) predicted += beta[coefficients[j]!]! * values[j]!
      const error = targets[row]! - predicted
      const slope = error > 0 ? quantile : 1 - quantile
      const weight = (weights[row]! * slope) / Math.max(MIN_ERROR, Math.abs(error))
      for (let j = first; j < first + PER_ROW; j++) {
        const weighted = weight * values[j]!
        if (weighted === 0) continue
        right[coefficients[j]!]! += weighted * targets[row]!
        const line = coefficients[j]! * size
        for (let i = first; i < first + PER_ROW; i++) matrix[line + coefficients[i]!]! += weighted * values[i]!
      }
    }
    beta = solve(matrix, right)
  }
  return beta
}

/** The quadratic penalty on differences between neighbouring leads, row by row. */
function smoothnessMatrix(size: number): Float64Array {
  const matrix = new Float64Array(size * size)
  const add = (row: number, column: number, value: number) => {
    matrix[row * size + column]! += value
  }
  for (let k = 0; k < size; k++) add(k, k, 1e-4)
  for (let k = 0; k + PER_LEAD < size; k++) {
    const next = k + PER_LEAD
    add(k, k, SMOOTHNESS)
    add(next, next, SMOOTHNESS)
    add(k, next, -SMOOTHNESS)
    add(next, k, -SMOOTHNESS)
  }
  return matrix
}

/** Solves a symmetric positive definite system by Gaussian elimination; both arguments are overwritten. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  for (let k = 0; k < size; k++)
    for (let row = k + 1; row < size; row++) {
      const factor = matrix[row * size + k]! / matrix[k * size + k]!
      if (factor === 0) continue
      for (let column = k; column < size; column++) matrix[row * size + column]! -= factor * matrix[k * size + column]!
      right[row]! -= factor * right[k]!
    }
  const solution = new Float64Array(size)
  for (let k = size - 1; k >= 0; k--) {
    let rest = right[k]!
    for (let column = k + 1; column < size; column++) rest -= matrix[k * size + column]! * solution[column]!
    solution[k] = rest / matrix[k * size + k]!
  }
  return solution
}
