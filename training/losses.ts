import * as tf from '@tensorflow/tfjs-core'
import { QUANTILES } from '../config/domain.ts'

/** Narrowest half-interval the net may widen or narrow, in scaled units, so that an hour of constant past can still be wrong. */
const MIN_WIDTH = 0.15
/** A half-interval may become e^±2 of the baseline's. */
const MAX_LOG_WIDTH = 2

/**
 * Turns the net's raw outputs [n, 3] and the baseline's half-widths [n, 2] (low, high, scaled) into deviations
 * [n, 3] of p10, p50, p90 from the baseline median. Ordered by construction: the net can only stretch the widths.
 */
export function quantileHead(raw: tf.Tensor2D, widths: tf.Tensor2D): tf.Tensor2D {
  const rows = raw.shape[0]
  const median = tf.slice(raw, [0, 0], [rows, 1])
  const stretch = tf.exp(tf.clipByValue(tf.slice(raw, [0, 1], [rows, 2]), -MAX_LOG_WIDTH, MAX_LOG_WIDTH))
  const reach = tf.mul(stretch, tf.maximum(widths, MIN_WIDTH))
  const low = tf.sub(median, tf.slice(reach, [0, 0], [rows, 1]))
  const high = tf.add(median, tf.slice(reach, [0, 1], [rows, 1]))
  return tf.concat2d([low as tf.Tensor2D, median, high as tf.Tensor2D], 1)
}

/** Mean pinball loss of predicted quantiles [n, 3] against truths tiled to [n, 3]: max(q·e, (q−1)·e), e = truth − prediction. */
export function pinballLoss(truths: tf.Tensor2D, predicted: tf.Tensor2D): tf.Scalar {
  const error = tf.sub(truths, predicted)
  const quantiles = tf.tensor2d([...QUANTILES], [1, QUANTILES.length])
  return tf.mean(tf.maximum(tf.mul(quantiles, error), tf.mul(tf.sub(quantiles, 1), error)))
}
