import * as tf from '@tensorflow/tfjs-core'
import { seededRandom } from '../../config/seeded-random.ts'
import type { Examples } from '../features/examples.ts'
import { FEATURES } from '../features/features.ts'
import { DEFAULT_RUN_SETTINGS, type RunSettings } from '../settings/run-settings.ts'
import { pinballLoss } from './losses.ts'
import { type QuantileNet, standardised, widthsOf } from './quantile-net.ts'

type FitSettings = RunSettings['fit']

/** The next hours are forecast most often and read most closely. */
const horizonWeight = (horizon: number) => (horizon < 1 ? 4 : horizon < 6 ? 2 : 1)

export interface FitReport {
  rows: number
  epochs: number
  steps: number
  /** Mean weighted loss of the last epoch, in scaled units. */
  loss: number
}

/** Rows as flat arrays that batches are copied from. */
interface FitArrays {
  x: Float32Array
  /** True deviations less the widths that the net corrects, [rows, 3], scaled. */
  target: Float32Array
  weight: Float32Array
  horizon: Uint8Array
}

function fitArrays(net: QuantileNet, { inputs, truth }: Examples): FitArrays {
  const widths = widthsOf(inputs)
  const target = new Float32Array(inputs.rows * 3)
  const weight = new Float32Array(inputs.rows)
  let total = 0
  for (let row = 0; row < inputs.rows; row++) {
    const deviation = (truth[row]! - inputs.p50[row]!) / inputs.scale[row]!
    for (let column = 0; column < 3; column++) target[row * 3 + column] = deviation - widths[row * 3 + column]!
    weight[row] = Math.sqrt(inputs.scale[row]!) * horizonWeight(inputs.horizon[row]!)
    total += weight[row]!
  }
  const mean = total / inputs.rows
  return {
    x: standardised(net.normalisation, inputs),
    target,
    weight: weight.map((each) => each / mean),
    horizon: inputs.horizon,
  }
}

/** Fits a new net in place: Adam on the weighted pinball loss, with a rate that rises and then falls along a cosine. */
export function fitNet(
  net: QuantileNet,
  examples: Examples,
  seed: number,
  settings: FitSettings = DEFAULT_RUN_SETTINGS.fit,
): FitReport {
  const { epochs, batch_size, learning_rate, near_hours, far_share } = settings
  const rows = examples.truth.length
  const report: FitReport = { rows, epochs: 0, steps: 0, loss: 0 }
  if (rows === 0) return report
  const arrays = fitArrays(net, examples)
  const random = seededRandom(seed)
  const near = arrays.horizon.reduce((count, horizon) => count + (horizon < near_hours ? 1 : 0), 0)
  const stepsOfEpoch = Math.ceil((near + (rows - near) * far_share) / batch_size)
  const steps = epochs * stepsOfEpoch
  const optimizer = tf.train.adam(learning_rate)
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = epochRows(arrays.horizon, random, settings)
    let loss = 0
    let count = 0
    for (let start = 0; start < order.length; start += batch_size) {
      setRate(optimizer, rateAt(report.steps++, steps, settings))
      loss += step(net, arrays, order.subarray(start, start + batch_size), optimizer)
      count++
    }
    report.loss = loss / count
    report.epochs++
  }
  optimizer.dispose()
  return report
}

function rateAt(step: number, steps: number, { learning_rate, warm_up_steps }: FitSettings): number {
  const warmUp = Math.min(1, (step + 1) / warm_up_steps)
  return learning_rate * warmUp * 0.5 * (1 + Math.cos((Math.PI * Math.min(step, steps)) / steps))
}

/** TensorFlow.js has no schedule of rates: the rate of its Adam is a field. */
function setRate(optimizer: tf.Optimizer, rate: number): void {
  ;(optimizer as tf.Optimizer & { learningRate: number }).learningRate = rate
}

function step(net: QuantileNet, arrays: FitArrays, rows: Int32Array, optimizer: tf.Optimizer): number {
  const width = FEATURES.length
  const x = new Float32Array(rows.length * width)
  const target = new Float32Array(rows.length * 3)
  const weight = new Float32Array(rows.length * 3)
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]!
    x.set(arrays.x.subarray(row * width, (row + 1) * width), k * width)
    for (let column = 0; column < 3; column++) {
      target[k * 3 + column] = arrays.target[row * 3 + column]!
      weight[k * 3 + column] = arrays.weight[row]!
    }
  }
  return tf.tidy(() => {
    const inputs = tf.tensor2d(x, [rows.length, width])
    const truths = tf.tensor2d(target, [rows.length, 3])
    const weights = tf.tensor2d(weight, [rows.length, 3])
    const loss = optimizer.minimize(
      () => pinballLoss(truths, net.network.apply(inputs, { training: true }) as tf.Tensor2D, weights),
      true,
    )
    return loss!.dataSync()[0]!
  })
}

/** The rows of an epoch in random order: all near hours, and a fresh share of the later ones, which are much alike. */
function epochRows(horizon: Uint8Array, random: () => number, { near_hours, far_share }: FitSettings): Int32Array {
  const rows: number[] = []
  for (let row = 0; row < horizon.length; row++) if (horizon[row]! < near_hours || random() < far_share) rows.push(row)
  const order = Int32Array.from(rows)
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const swapped = order[k]!
    order[k] = order[other]!
    order[other] = swapped
  }
  return order
}
