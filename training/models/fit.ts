import * as tf from '@tensorflow/tfjs-core'
import { DAY_MS } from '../../config/domain.ts'
import { type Examples, pickExamples } from '../features/examples.ts'
import { seededRandom } from '../scoring/statistics.ts'
import { pinballLoss, quantileHead } from './losses.ts'
import { inputTensor, type QuantileNet, readWeights, widthTensor, writeWeights } from './quantile-net.ts'

export interface FitOptions {
  seed: number
  max_epochs: number
}

const LEARNING_RATE = 0.001
const BATCH = 256
/** Epochs without a better validation loss before we stop. */
const PATIENCE = 4
/** Share of every weight that is left after an epoch's decay. */
const KEPT_WEIGHT = 0.9

export interface FitReport {
  epochs: number
  /** Scaled pinball loss on the validation tail before the first epoch and at the kept one. */
  loss_before: number
  loss_kept: number
  train_rows: number
  validation_rows: number
}

/** Fraction of the time span of examples whose end validates. */
const VALIDATION_SHARE = 0.15

/**
 * Splits by time: the last origins validate, and no example learnt from is about an hour in which one of them was made,
 * so that the tail is truly ahead of what the net has seen.
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
    train: pickExamples(examples, (row) => examples.valid_ms[row]! < split),
    validation: pickExamples(examples, (row) => examples.issued_ms[row]! >= split),
  }
}

interface Batchable {
  x: tf.Tensor2D
  widths: tf.Tensor2D
  truth: tf.Tensor2D
}

function tensorsOf(net: QuantileNet, examples: Examples): Batchable {
  const { inputs } = examples
  const deviation = new Float32Array(inputs.rows * 3)
  for (let k = 0; k < deviation.length; k++) {
    const row = Math.floor(k / 3)
    deviation[k] = (examples.truth[row]! - inputs.p50[row]!) / inputs.scale[row]!
  }
  return { x: inputTensor(net, inputs), widths: widthTensor(inputs), truth: tf.tensor2d(deviation, [inputs.rows, 3]) }
}

function lossOf(net: QuantileNet, { x, widths, truth }: Batchable): tf.Scalar {
  return pinballLoss(truth, quantileHead(net.network.apply(x) as tf.Tensor2D, widths))
}

/**
 * Fits the net in place: Adam on the scaled pinball loss, stopped early on the time-ordered tail. The weights of the best
 * epoch are kept, and "none" counts: a fit that only makes things worse leaves the net as it was.
 */
export function fitNet(net: QuantileNet, examples: Examples, options: FitOptions): FitReport {
  const { train, validation } = splitByTime(examples)
  const report: FitReport = {
    epochs: 0,
    loss_before: 0,
    loss_kept: 0,
    train_rows: train.truth.length,
    validation_rows: validation.truth.length,
  }
  if (report.train_rows === 0 || report.validation_rows === 0) return report
  const learnt = tensorsOf(net, train)
  const tail = tensorsOf(net, validation)
  const optimizer = tf.train.adam(LEARNING_RATE)
  const tailLoss = () => tf.tidy(() => lossOf(net, tail).dataSync()[0]!)
  const random = seededRandom(options.seed)
  let best = readWeights(net)
  report.loss_before = report.loss_kept = tailLoss()
  for (let epoch = 1, waited = 0; epoch <= options.max_epochs && waited < PATIENCE; epoch++, waited++) {
    runEpoch(net, learnt, optimizer, shuffled(report.train_rows, random), BATCH)
    shrinkWeights(net)
    const loss = tailLoss()
    if (loss < report.loss_kept - 1e-5) {
      report.loss_kept = loss
      report.epochs = epoch
      best = readWeights(net)
      waited = -1
    }
  }
  writeWeights(net, best)
  optimizer.dispose()
  tf.dispose([learnt, tail] as unknown as tf.TensorContainer)
  return report
}

function runEpoch(net: QuantileNet, all: Batchable, optimizer: tf.Optimizer, order: Int32Array, batch: number): void {
  for (let at = 0; at < order.length; at += batch)
    tf.tidy(() => {
      const rows = tf.tensor1d(order.subarray(at, at + batch), 'int32')
      const part = { x: tf.gather(all.x, rows), widths: tf.gather(all.widths, rows), truth: tf.gather(all.truth, rows) }
      optimizer.minimize(() => lossOf(net, part))
    })
}

/** Decoupled weight decay, once an epoch: pulls the net back towards the baseline. */
function shrinkWeights(net: QuantileNet): void {
  tf.tidy(() => net.network.setWeights(net.network.getWeights().map((weight) => tf.mul(weight, KEPT_WEIGHT))))
}

/** 0…rows−1 in random order (Fisher–Yates). */
function shuffled(rows: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, k) => k)
  for (let k = rows - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const kept = order[k]!
    order[k] = order[other]!
    order[other] = kept
  }
  return order
}
