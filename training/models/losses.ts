import * as tf from '@tensorflow/tfjs-core'
import { QUANTILES } from '../../config/domain.ts'

/**
 * Weighted mean pinball loss of predicted quantiles [n, 3] against truths repeated to [n, 3]: max(q·e, (q−1)·e) with
 * e = truth − prediction, times the weights [n, 3]. The same metric as `pinball` in scoring, as tensors so that it has a gradient.
 */
export function pinballLoss(truths: tf.Tensor2D, predicted: tf.Tensor2D, weights: tf.Tensor2D): tf.Scalar {
  const error = tf.sub(truths, predicted)
  const quantiles = tf.tensor2d(Array.from(QUANTILES), [1, QUANTILES.length])
  return tf.mean(tf.mul(weights, tf.maximum(tf.mul(quantiles, error), tf.mul(tf.sub(quantiles, 1), error))))
}
