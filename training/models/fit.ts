import * as tf from '@tensorflow/tfjs-core'
import { DAY_MS } from '../../config/domain.ts'
import { type Examples, selectExamples } from '../features/examples.ts'
import { seededRandom } from '../scoring/statistics.ts'
import { pinballLoss, quantileHead } from './losses.ts'
import { inputTensor, type QuantileNet, readWeights, widthTensor, writeWeights } from './quantile-net.ts'

export interface FitOptions {
  seed: number
  max_epochs: number
}

const LEARNING_RATE = 0.001
const BATCH_SIZE = 256
/** The fit stops after this many epochs without a better validation loss. */
const PATIENCE = 4
/** After every epoch each weight is multiplied by this (weight decay). */
const WEIGHT_RETENTION = 0.9
/** A loss counts as better only by more than this. */
const MIN_IMPROVEMENT = 1e-5

export interface FitReport {
  /** Epochs of the weights that are used; 0 when no epoch was better than the start. */
  epochs: number
  /** Scaled pinball loss on the validation tail before the first epoch. */
  initial_loss: number
  /** The same loss of the weights that are used. */
  best_loss: number
  train_rows: number
  validation_rows: number
}

/** Fraction of the time span of the examples, at its end, that validates. */
const VALIDATION_SHARE = 0.15

/**
 * Splits by time: the last origins validate, and training examples are about hours before the first of those origins, so
 * that the net has seen nothing of the validation tail.
 */
export function splitByTime(examples: Examples): { train: Examples; validation: Examples } {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const issued of examples.issued_ms) {
    first = Math.min(first, issued)
    last = Math.max(last, issued)
  }
  const split = last - Math.max(3 * DAY_MS, (last - first) * VALIDATION_SHARE)
  return {
    train: selectExamples(examples, (row) => examples.valid_ms[row]! < split),
    validation: selectExamples(examples, (row) => examples.issued_ms[row]! >= split),
  }
}

/** Examples as tensors: inputs, the baseline's half-widths, and the true deviations from the baseline median, scaled. */
interface FitTensors {
  x: tf.Tensor2D
  widths: tf.Tensor2D
  truth: tf.Tensor2D
}

function tensorsOf(net: QuantileNet, examples: Examples): FitTensors {
  const { inputs } = examples
  const deviation = new Float32Array(inputs.rows * 3)
  for (let k = 0; k < deviation.length; k++) {
    const row = Math.floor(k / 3)
    deviation[k] = (examples.truth[row]! - inputs.p50[row]!) / inputs.scale[row]!
  }
  return { x: inputTensor(net, inputs), widths: widthTensor(inputs), truth: tf.tensor2d(deviation, [inputs.rows, 3]) }
}

function lossOf(net: QuantileNet, { x, widths, truth }: FitTensors): tf.Scalar {
  return pinballLoss(truth, quantileHead(net.network.apply(x) as tf.Tensor2D, widths))
}

/**
 * Fits the net in place: Adam on the scaled pinball loss with early stopping on the last part of the time span. The
 * weights of the best epoch are used; when no epoch is better than the start, the net does not change.
 */
export function fitNet(net: QuantileNet, examples: Examples, options: FitOptions): FitReport {
  const { train, validation } = splitByTime(examples)
  const report: FitReport = {
    epochs: 0,
    initial_loss: 0,
    best_loss: 0,
    train_rows: train.truth.length,
    validation_rows: validation.truth.length,
  }
  if (report.train_rows === 0 || report.validation_rows === 0) return report
  const trainTensors = tensorsOf(net, train)
  const validationTensors = tensorsOf(net, validation)
  const optimizer = tf.train.adam(LEARNING_RATE)
  const validationLoss = () => tf.tidy(() => lossOf(net, validationTensors).dataSync()[0]!)
  const random = seededRandom(options.seed)
  let bestWeights = readWeights(net)
  report.initial_loss = validationLoss()
  report.best_loss = report.initial_loss
  let epochsWithoutImprovement = 0
  for (let epoch = 1; epoch <= options.max_epochs && epochsWithoutImprovement < PATIENCE; epoch++) {
    runEpoch(net, trainTensors, optimizer, shuffledRows(report.train_rows, random))
    decayWeights(net)
    const loss = validationLoss()
    epochsWithoutImprovement++
    if (loss < report.best_loss - MIN_IMPROVEMENT) {
      report.best_loss = loss
      report.epochs = epoch
      bestWeights = readWeights(net)
      epochsWithoutImprovement = 0
    }
  }
  writeWeights(net, bestWeights)
  optimizer.dispose()
  tf.dispose([trainTensors, validationTensors] as unknown as tf.TensorContainer)
  return report
}

function runEpoch(net: QuantileNet, all: FitTensors, optimizer: tf.Optimizer, order: Int32Array): void {
  for (let start = 0; start < order.length; start += BATCH_SIZE)
    tf.tidy(() => {
      const rows = tf.tensor1d(order.subarray(start, start + BATCH_SIZE), 'int32')
      const batch = {
        x: tf.gather(all.x, rows),
        widths: tf.gather(all.widths, rows),
        truth: tf.gather(all.truth, rows),
      }
      optimizer.minimize(() => lossOf(net, batch))
    })
}

/** Decoupled weight decay: pulls the net back towards the baseline. */
function decayWeights(net: QuantileNet): void {
  tf.tidy(() => net.network.setWeights(net.network.getWeights().map((weight) => tf.mul(weight, WEIGHT_RETENTION))))
}

/** 0…rows−1 in random order (Fisher–Yates). */
function shuffledRows(rows: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, k) => k)
  for (let k = rows - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const swapped = order[k]!
    order[k] = order[other]!
    order[other] = swapped
  }
  return order
}
