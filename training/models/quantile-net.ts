import * as tf from '@tensorflow/tfjs-core'
import * as layers from '@tensorflow/tfjs-layers'
import type { FeatureRows } from '../../forecasting/features/features.ts'
import { FEATURES, type InputGroup, usedFeatures } from '../../forecasting/features/inputs.ts'
import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { DEFAULT_TRAINING_SETTINGS, type TrainingSettings } from '../settings/training-settings.ts'

/** Mean and standard deviation of each feature over the rows the net was fitted on. */
export interface Normalisation {
  mean: number[]
  std: number[]
  /** False for a feature that the net does not see: its input is always 0. */
  used: boolean[]
}

/** A small dense net that corrects the centre and spread of climatologies; airports and terminals share it. */
export interface QuantileNet {
  network: layers.LayersModel
  normalisation: Normalisation
}

/** A new net. Its last layer is zero, so before fitting it predicts exactly what it corrects. */
export function createNet(
  normalisation: Normalisation,
  seed: number,
  { hidden_units, dropout }: TrainingSettings['net'] = DEFAULT_TRAINING_SETTINGS.net,
): QuantileNet {
  // Names are fixed, so that the same fit is saved as the same bytes whatever the process made before. Each has the seed,
  // because the weights of a mean of nets must differ in their names to be loaded.
  const network = layers.sequential({ name: `net_${seed}` })
  for (const [k, units] of hidden_units.entries()) {
    network.add(
      layers.layers.dense({
        ...(k === 0 && { inputShape: [FEATURES.length] }),
        units,
        activation: 'relu',
        kernelInitializer: layers.initializers.heUniform({ seed: seed * 2 + k }),
        name: `net_${seed}_hidden_${k + 1}`,
      }),
    )
    network.add(layers.layers.dropout({ rate: dropout, seed: seed * 2 + k, name: `net_${seed}_dropout_${k + 1}` }))
  }
  network.add(layers.layers.dense({ units: 3, kernelInitializer: 'zeros', name: `net_${seed}_quantiles` }))
  return { network, normalisation }
}

/** One net whose outputs are the means of those of several; they are its layers. */
export function meanOfNets(nets: readonly QuantileNet[]): QuantileNet {
  const [first] = nets
  if (!first || nets.length === 1) return first!
  const input = layers.input({ shape: [FEATURES.length], name: 'inputs' })
  const outputs = nets.map(({ network }) => network.apply(input) as layers.SymbolicTensor)
  const mean = layers.layers.average({ name: 'mean' }).apply(outputs) as layers.SymbolicTensor
  return {
    network: layers.model({ inputs: input, outputs: mean, name: 'mean_of_nets' }),
    normalisation: first.normalisation,
  }
}

/** Mean and standard deviation of every feature over some of the rows; the inputs of some groups can be left out. */
export function normalisationOf(
  { x, rows: count }: FeatureRows,
  leave_out: readonly InputGroup[] = [],
  rows: Int32Array = Int32Array.from({ length: count }, (_, row) => row),
): Normalisation {
  const width = FEATURES.length
  const mean = new Array<number>(width).fill(0)
  const std = new Array<number>(width).fill(0)
  for (const row of rows) for (let k = 0; k < width; k++) mean[k]! += x[row * width + k]! / rows.length
  for (const row of rows) for (let k = 0; k < width; k++) std[k]! += (x[row * width + k]! - mean[k]!) ** 2 / rows.length
  // A feature that never varies carries no signal: it is centred and not scaled.
  return {
    mean,
    std: std.map((variance) => (variance > 1e-8 ? Math.sqrt(variance) : 1)),
    used: usedFeatures(leave_out),
  }
}

/** Standardised inputs, row by row. */
export function standardised({ mean, std, used }: Normalisation, rows: FeatureRows): Float32Array {
  const width = FEATURES.length
  const x = new Float32Array(rows.x.length)
  for (let start = 0; start < x.length; start += width)
    for (let k = 0; k < width; k++) x[start + k] = used[k] ? (rows.x[start + k]! - mean[k]!) / std[k]! : 0
  return x
}

/** Smallest half-width in scaled units: an hour with a constant past can still differ in future. */
const MIN_WIDTH = 0.15

/** The half-widths that the net corrects, scaled and signed [rows, 3]: −(p50 − p10), 0, p90 − p50. */
export function widthsOf(rows: FeatureRows): Float32Array {
  const widths = new Float32Array(rows.rows * 3)
  for (let row = 0; row < rows.rows; row++) {
    widths[row * 3] = -widthBelow(rows, row)
    widths[row * 3 + 2] = widthAbove(rows, row)
  }
  return widths
}

/** The half-widths of a row, scaled. */
export const widthBelow = ({ p10, p50, scale }: FeatureRows, row: number): number =>
  Math.max(MIN_WIDTH, (p50[row]! - p10[row]!) / scale[row]!)
export const widthAbove = ({ p50, p90, scale }: FeatureRows, row: number): number =>
  Math.max(MIN_WIDTH, (p90[row]! - p50[row]!) / scale[row]!)

/** Quantiles in minutes for rows of features, ordered and never below zero. Calls the net once and frees all tensors it creates. */
export function predictNet(net: QuantileNet, rows: FeatureRows): Quantiles {
  const predicted = emptyQuantiles(rows.rows)
  if (rows.rows === 0) return predicted
  const widths = widthsOf(rows)
  // `predict` would cut the rows into slices of 32 and copy each through JavaScript; `apply` does not.
  // What `tidy` returns is searched for tensors, number by number, so that it returns the tensor.
  const outputs = tf.tidy(
    () =>
      net.network.apply(
        tf.tensor2d(standardised(net.normalisation, rows), [rows.rows, FEATURES.length]),
      ) as tf.Tensor2D,
  )
  const deviations = outputs.dataSync()
  outputs.dispose()
  for (let row = 0; row < rows.rows; row++) {
    const sorted = [0, 1, 2].map((column) => deviations[row * 3 + column]! + widths[row * 3 + column]!)
    sorted.sort((a, b) => a - b)
    for (const [column, name] of (['p10', 'p50', 'p90'] as const).entries())
      predicted[name][row] = Math.max(0, rows.p50[row]! + rows.scale[row]! * sorted[column]!)
  }
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
