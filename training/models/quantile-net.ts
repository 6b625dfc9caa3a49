import * as tf from '@tensorflow/tfjs-core'
import * as layers from '@tensorflow/tfjs-layers'
import { FEATURES, type FeatureRows } from '../features/features.ts'
import { emptyQuantiles, type Quantiles } from '../scoring/quantiles.ts'
import { quantileHead } from './losses.ts'

/** Mean and standard deviation of each feature over the rows the net was first fitted on. */
export interface Normalisation {
  mean: number[]
  std: number[]
}

/** A small dense net that corrects the baseline's quantiles; airports and terminals share it. */
export interface QuantileNet {
  network: layers.LayersModel
  normalisation: Normalisation
}

/**
 * One hidden layer of 16. On the US airports of 2026, layers of 32 and 16 and deeper nets were worse on later weeks (MAE
 * 2.02–2.04 against 2.01), and so was fine-tuning the pooled net per airport (2.03).
 */
const HIDDEN_UNITS = 16

/** A new net. Its last layer is zero, so before fitting it predicts exactly the baseline. */
export function createNet(normalisation: Normalisation, seed: number): QuantileNet {
  const network = layers.sequential()
  network.add(
    layers.layers.dense({
      inputShape: [FEATURES.length],
      units: HIDDEN_UNITS,
      activation: 'relu',
      kernelInitializer: layers.initializers.heUniform({ seed }),
      name: 'hidden',
    }),
  )
  network.add(layers.layers.dense({ units: 3, kernelInitializer: 'zeros', name: 'quantiles' }))
  return { network, normalisation }
}

/** Mean and standard deviation of every feature. */
export function normalisationOf(rows: FeatureRows): Normalisation {
  const width = FEATURES.length
  const mean = new Array<number>(width).fill(0)
  const std = new Array<number>(width).fill(0)
  for (let k = 0; k < rows.x.length; k++) mean[k % width]! += rows.x[k]! / rows.rows
  for (let k = 0; k < rows.x.length; k++) std[k % width]! += (rows.x[k]! - mean[k % width]!) ** 2 / rows.rows
  // A feature that never varies carries no signal: it is centred and not scaled.
  return { mean, std: std.map((variance) => (variance > 1e-8 ? Math.sqrt(variance) : 1)) }
}

/** Standardised inputs [rows, features]. */
export function inputTensor({ normalisation }: QuantileNet, rows: FeatureRows): tf.Tensor2D {
  const width = FEATURES.length
  const x = rows.x.map((value, k) => (value - normalisation.mean[k % width]!) / normalisation.std[k % width]!)
  return tf.tensor2d(x, [rows.rows, width])
}

/** Smallest half-width in scaled units: an hour with a constant past can still differ in future. */
const MIN_WIDTH = 0.15

/** The baseline's half-widths, scaled and signed [rows, 3]: −(p50 − p10), 0, p90 − p50. */
export function widthTensor(rows: FeatureRows): tf.Tensor2D {
  const widths = new Float32Array(rows.rows * 3)
  for (let row = 0; row < rows.rows; row++) {
    widths[row * 3] = -Math.max(MIN_WIDTH, (rows.p50[row]! - rows.p10[row]!) / rows.scale[row]!)
    widths[row * 3 + 2] = Math.max(MIN_WIDTH, (rows.p90[row]! - rows.p50[row]!) / rows.scale[row]!)
  }
  return tf.tensor2d(widths, [rows.rows, 3])
}

/** Quantiles in minutes for rows of features, never below zero. Calls the net once and frees all tensors it creates. */
export function predictNet(net: QuantileNet, rows: FeatureRows): Quantiles {
  const predicted = emptyQuantiles(rows.rows)
  if (rows.rows === 0) return predicted
  // `predict` would cut the rows into slices of 32 and copy each through JavaScript; `apply` does not.
  const deviations = tf.tidy(() =>
    quantileHead(net.network.apply(inputTensor(net, rows)) as tf.Tensor2D, widthTensor(rows)).dataSync(),
  )
  for (let row = 0; row < rows.rows; row++)
    for (const [column, name] of (['p10', 'p50', 'p90'] as const).entries())
      predicted[name][row] = Math.max(0, rows.p50[row]! + rows.scale[row]! * deviations[row * 3 + column]!)
  return predicted
}

/** Frees the net's tensors. */
export function disposeNet(net: QuantileNet): void {
  net.network.dispose()
}

/** Copies of the weights as plain arrays, in the order of the layers. */
export function readWeights(net: QuantileNet): Float32Array[] {
  return net.network.getWeights().map((weight) => weight.dataSync<'float32'>().slice())
}

/** Sets the weights from plain arrays, in the order of the layers. */
export function writeWeights(net: QuantileNet, weights: Float32Array[]): void {
  tf.tidy(() =>
    net.network.setWeights(net.network.getWeights().map((current, k) => tf.tensor(weights[k]!, current.shape))),
  )
}
