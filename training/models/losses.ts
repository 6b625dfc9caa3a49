import * as tf from '@tensorflow/tfjs-core'
import { QUANTILES } from '../../config/domain.ts'

/** The net multiplies a half-interval of the baseline by at most e² and at least e⁻². */
const MAX_LOG_WIDTH = 2
/** Copies the middle column of [n, 3] to all three. */
const MIDDLE_TO_ALL = [0, 0, 0, 1, 1, 1, 0, 0, 0]

/**
 * Turns the net's raw outputs [n, 3] (log factor below, median, log factor above) and the baseline's signed half-widths
 * [n, 3] (−low, 0, +high; scaled) into deviations of p10, p50 and p90 from the baseline median. The net only multiplies
 * the widths, so the quantiles are always ordered. One product and no slices: slices copy through JavaScript on wasm.
 */
export function quantileHead(raw: tf.Tensor2D, widths: tf.Tensor2D): tf.Tensor2D {
  const median = tf.matMul(raw, tf.tensor2d(MIDDLE_TO_ALL, [3, 3]))
  const factors = tf.exp(tf.clipByValue(raw, -MAX_LOG_WIDTH, MAX_LOG_WIDTH))
  return tf.add(median, tf.mul(factors, widths))
}

/**
 * Mean pinball loss of predicted quantiles [n, 3] against truths repeated to [n, 3]: max(q·e, (q−1)·e) with
 * e = truth − prediction. The same metric as `pinball` in scoring, as tensors so that it has a gradient.
 */
export function pinballLoss(truths: tf.Tensor2D, predicted: tf.Tensor2D): tf.Scalar {
  const error = tf.sub(truths, predicted)
  const quantiles = tf.tensor2d(Array.from(QUANTILES), [1, QUANTILES.length])
  return tf.mean(tf.maximum(tf.mul(quantiles, error), tf.mul(tf.sub(quantiles, 1), error)))
}
