import { solvePositiveDefinite } from '../statistics/linear-system.ts'

const ROUNDS = 20
/** Errors below this count as this in a round, so that no example decides alone. */
const MIN_ERROR = 0.05

export interface QuantileRegression {
  /** One row of inputs an example, all of one length. */
  inputs: readonly Float64Array[]
  targets: Float64Array
  weights: Float64Array
  /** The quantile of the targets that is wanted, such as 0.5. */
  quantile: number
  /** The coefficients are drawn towards these with this strength. */
  toward: readonly number[]
  ridge: number
  /** The strength is a multiple of the mean weight of a round. */
  relative?: boolean
}

/**
 * Linear quantile regression: the smallest weighted pinball loss plus ridge × squared distance from `toward`, by iteratively
 * reweighted least squares. The loss is convex, so the fit has one answer and needs no seed.
 */
export function quantileRegression(request: QuantileRegression): number[] {
  const { inputs, targets, weights, quantile, toward, ridge, relative = false } = request
  const size = toward.length
  let beta = Float64Array.from(toward)
  for (let round = 0; round < ROUNDS; round++) {
    const matrix = new Float64Array(size * size)
    const right = new Float64Array(size)
    let total = 0
    for (let row = 0; row < targets.length; row++) {
      const own = inputs[row]!
      let predicted = 0
      let base = 0
      for (let k = 0; k < size; k++) {
        predicted += beta[k]! * own[k]!
        base += toward[k]! * own[k]!
      }
      const error = targets[row]! - predicted
      const weight = (weights[row]! * (error > 0 ? quantile : 1 - quantile)) / Math.max(MIN_ERROR, Math.abs(error))
      total += weight
      for (let k = 0; k < size; k++) {
        const weighted = weight * own[k]!
        if (weighted === 0) continue
        right[k]! += weighted * (targets[row]! - base)
        for (let column = 0; column <= k; column++) matrix[k * size + column]! += weighted * own[column]!
      }
    }
    const strength = relative ? (ridge * total) / Math.max(1, targets.length) : ridge
    for (let k = 0; k < size; k++) matrix[k * size + k]! += strength + 1e-9
    const step = solvePositiveDefinite(matrix, right)
    beta = step.map((value, k) => value + toward[k]!)
  }
  return [...beta]
}
