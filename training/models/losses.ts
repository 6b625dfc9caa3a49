import { QUANTILES } from '../../config/vocabulary.ts'
import type { Examples } from '../../forecasting/features/examples.ts'
import type { FeatureRows } from '../../forecasting/features/features.ts'
import { widthAbove, widthBelow } from './quantile-net.ts'

/** The next hours are forecast most often and read most closely. */
function horizonWeight(horizon: number): number {
  if (horizon < 1) return 4
  return horizon < 6 ? 2 : 1
}

const weightOf = ({ scale, horizon }: FeatureRows, row: number) => Math.sqrt(scale[row]!) * horizonWeight(horizon[row]!)

/** The mean weight of some rows; each row counts by its weight in units of this. */
export function meanWeight(inputs: FeatureRows, rows: Int32Array): number {
  let total = 0
  for (const row of rows) total += weightOf(inputs, row)
  return total / rows.length
}

/**
 * The weighted mean pinball loss of a batch's outputs, the metric `pinball` of scoring, and its gradient. What the net predicts is a deviation from
 * the centre less the width that it corrects, scaled.
 */
export function pinballGradient(
  { inputs, truth }: Examples,
  batch: Int32Array,
  outputs: Float32Array,
  weightScale: number,
): { loss: number; gradient: Float32Array } {
  const gradient = new Float32Array(outputs.length)
  const targets = new Float64Array(3)
  let loss = 0
  for (let k = 0; k < batch.length; k++) {
    const row = batch[k]!
    const weight = (weightOf(inputs, row) * weightScale) / outputs.length
    const deviation = (truth[row]! - inputs.p50[row]!) / inputs.scale[row]!
    targets[0] = deviation + widthBelow(inputs, row)
    targets[1] = deviation
    targets[2] = deviation - widthAbove(inputs, row)
    for (let column = 0; column < 3; column++) {
      const error = targets[column]! - outputs[k * 3 + column]!
      const slope = error > 0 ? QUANTILES[column]! : QUANTILES[column]! - 1
      loss += weight * slope * error
      gradient[k * 3 + column] = -weight * slope
    }
  }
  return { loss, gradient }
}
