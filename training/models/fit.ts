import type { Examples } from '../../forecasting/features/examples.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { DEFAULT_TRAINING_SETTINGS, type TrainingSettings } from '../settings/training-settings.ts'
import { type AirportInputs, valuesGradient, withAirportInputs } from './airport-inputs.ts'
import { adam, backward, type DenseLayer, dropoutOf, forward } from './dense-layers.ts'
import { meanWeight, pinballGradient } from './losses.ts'
import { type QuantileNet, readWeights, writeWeights } from './quantile-net.ts'

type FitSettings = TrainingSettings['fit']

export interface FitReport {
  rows: number
  epochs: number
  steps: number
  /** Mean weighted loss of the last epoch, in scaled units. */
  loss: number
}

/**
 * Fits a new net, and inputs of each airport, in place on some rows of the examples: Adam on the weighted pinball loss, with a
 * rate that rises and then falls along a cosine.
 */
export function fitNet(
  net: QuantileNet,
  examples: Examples,
  seed: number,
  { fit, net: { dropout, airport_penalty } }: Pick<TrainingSettings, 'fit' | 'net'> = DEFAULT_TRAINING_SETTINGS,
  rows: Int32Array = Int32Array.from(examples.truth, (_, row) => row),
  own: AirportInputs | null = null,
): FitReport {
  const { epochs, batch_size, near_hours, far_share } = fit
  const report: FitReport = { rows: rows.length, epochs: 0, steps: 0, loss: 0 }
  if (rows.length === 0) return report
  const { horizon } = examples.inputs
  const weightScale = 1 / meanWeight(examples.inputs, rows)
  const random = seededRandom(seed)
  const drop = dropoutOf(dropout, seededRandom(seed + DROPOUT_SEED))
  const layers = layersOf(net)
  const inputWeights = layers[0]!.weights.length
  if (own) layers[0] = withAirportInputs(layers[0]!, own)
  const values: DenseLayer[] = own ? [{ weights: own.values, bias: new Float32Array(0) }] : []
  const move = adam([...layers, ...values])
  const near = rows.reduce((count, row) => count + (horizon[row]! < near_hours ? 1 : 0), 0)
  const stepsOfEpoch = Math.ceil((near + (rows.length - near) * far_share) / batch_size)
  const steps = epochs * stepsOfEpoch
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = epochRows(rows, horizon, random, fit)
    let loss = 0
    let count = 0
    for (let start = 0; start < order.length; start += batch_size) {
      const batch = order.subarray(start, start + batch_size)
      const activations = forward(layers, batchInputs(net, examples, batch, own), drop)
      const pinball = pinballGradient(examples, batch, activations.outputs, weightScale)
      const gradients = backward(layers, activations, pinball.gradient, dropout)
      if (own) {
        const airports = Uint16Array.from(batch, (row) => examples.airport[row]!)
        const ownWeights = layers[0]!.weights.subarray(inputWeights)
        const valueGradient = valuesGradient(own, ownWeights, airports, gradients.first_units, airport_penalty)
        gradients.layers.push({ weights: valueGradient, bias: new Float32Array(0) })
      }
      move(gradients.layers, rateAt(report.steps++, steps, fit))
      loss += pinball.loss
      count++
    }
    report.loss = loss / count
    report.epochs++
  }
  if (own) {
    own.weights.set(layers[0]!.weights.subarray(inputWeights))
    layers[0] = { weights: layers[0]!.weights.slice(0, inputWeights), bias: layers[0]!.bias }
  }
  writeWeights(
    net,
    layers.flatMap(({ weights, bias }) => [weights, bias]),
  )
  return report
}

/** Order of rows and dropout are drawn apart. */
const DROPOUT_SEED = 1_000_003

/** The layers of a net as plain arrays; its weights are those of each layer and then its biases. */
function layersOf(net: QuantileNet): DenseLayer[] {
  const arrays = readWeights(net)
  return Array.from({ length: arrays.length / 2 }, (_, k) => ({ weights: arrays[2 * k]!, bias: arrays[2 * k + 1]! }))
}

/** Standardised inputs of some rows, followed by those of their airports. */
function batchInputs(
  { normalisation }: QuantileNet,
  { inputs, airport }: Examples,
  batch: Int32Array,
  own: AirportInputs | null,
): Float32Array {
  const { mean, std, used } = normalisation
  const width = FEATURES.length
  const ownWidth = own?.width ?? 0
  const stride = width + ownWidth
  const x = new Float32Array(batch.length * stride)
  const factors = Float64Array.from(std, (deviation, index) => (used[index] ? 1 / deviation : 0))
  const means = Float64Array.from(mean)
  for (let k = 0; k < batch.length; k++) {
    const from = batch[k]! * width
    for (let index = 0; index < width; index++)
      x[k * stride + index] = (inputs.x[from + index]! - means[index]!) * factors[index]!
    const ownFrom = airport[batch[k]!]! * ownWidth
    for (let index = 0; index < ownWidth; index++) x[k * stride + width + index] = own!.values[ownFrom + index]!
  }
  return x
}

function rateAt(step: number, steps: number, { learning_rate, warm_up_steps }: FitSettings): number {
  const warmUp = Math.min(1, (step + 1) / warm_up_steps)
  return learning_rate * warmUp * 0.5 * (1 + Math.cos((Math.PI * Math.min(step, steps)) / steps))
}

/** The rows of an epoch in random order: all near hours, and a fresh share of the later ones, which are much alike. */
function epochRows(
  rows: Int32Array,
  horizon: Uint8Array,
  random: () => number,
  { near_hours, far_share }: FitSettings,
): Int32Array {
  const drawn = new Int32Array(rows.length)
  let count = 0
  for (const row of rows) if (horizon[row]! < near_hours || random() < far_share) drawn[count++] = row
  const order = drawn.subarray(0, count)
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const swapped = order[k]!
    order[k] = order[other]!
    order[other] = swapped
  }
  return order
}
