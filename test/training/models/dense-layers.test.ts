import * as tf from '@tensorflow/tfjs-core'
// Registers the gradients of TensorFlow.js.
import '@tensorflow/tfjs-layers'
import { beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { adam, backward, type DenseLayer, dropoutOf, forward } from '../../../training/models/dense-layers.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'

const random = seededRandom(3)
const numbers = (length: number) => Float32Array.from({ length }, () => random() - 0.5)
const layer = (inputs: number, units: number): DenseLayer => ({
  weights: numbers(inputs * units),
  bias: numbers(units),
})
const ROWS = 37
const x = numbers(ROWS * 5)
const layers = [layer(5, 7), layer(7, 4), layer(4, 3)]

beforeAll(() => startBackend())

test('outputs and gradients equal those of TensorFlow.js', () => {
  const run = (...arrays: tf.Tensor[]) => {
    const [w1, b1, w2, b2, w3, b3] = arrays as [tf.Tensor2D, tf.Tensor, tf.Tensor2D, tf.Tensor, tf.Tensor2D, tf.Tensor]
    const first = tf.relu(tf.add(tf.matMul(tf.tensor2d(x, [ROWS, 5]), w1), b1)) as tf.Tensor2D
    const second = tf.relu(tf.add(tf.matMul(first, w2), b2)) as tf.Tensor2D
    return tf.add(tf.matMul(second, w3), b3)
  }
  const tensors = layers.flatMap(({ weights, bias }) => [
    tf.tensor2d(weights, [weights.length / bias.length, bias.length]),
    tf.tensor1d(bias),
  ])
  const slope = numbers(ROWS * 3)
  const gradients = tf.grads((...arrays: tf.Tensor[]) => tf.sum(tf.mul(run(...arrays), tf.tensor2d(slope, [ROWS, 3]))))(
    tensors,
  )
  const activations = forward(layers, x, dropoutOf(0, random))
  const close = (own: Float32Array, other: tf.Tensor) => {
    for (const [k, value] of other.dataSync().entries()) expect(own[k]).toBeCloseTo(value, 5)
  }
  close(activations.outputs, run(...tensors))
  const own = backward(layers, activations, slope, 0).layers.flatMap(({ weights, bias }) => [weights, bias])
  for (const [k, gradient] of gradients.entries()) close(own[k]!, gradient)
})

test('dropout leaves out its share of hidden units and keeps their mean', () => {
  const wide = [layer(5, 400), layer(400, 3)]
  const [, whole] = forward(wide, x, dropoutOf(0, random)).inputs
  const [, dropped] = forward(wide, x, dropoutOf(0.25, random)).inputs
  const active = whole!.filter((value) => value > 0).length
  expect(dropped!.filter((value) => value > 0).length / active).toBeCloseTo(0.75, 1)
  const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0)
  expect(sum(dropped!) / sum(whole!)).toBeCloseTo(1, 1)
})

test('a step of Adam moves weights as far as that of TensorFlow.js', () => {
  const own: DenseLayer = { weights: Float32Array.of(0.5, -1), bias: Float32Array.of(0, 2) }
  const variable = tf.variable(tf.tensor1d([0.5, -1, 0, 2]))
  const optimizer = tf.train.adam(0.01)
  const move = adam([own])
  for (const gradient of [
    [0.3, -2, 0, 1e-4],
    [-0.1, -1, 0.5, 1e-4],
  ]) {
    optimizer.applyGradients([{ name: variable.name, tensor: tf.tensor1d(gradient) }])
    move([{ weights: Float32Array.from(gradient.slice(0, 2)), bias: Float32Array.from(gradient.slice(2)) }], 0.01)
  }
  for (const [k, value] of variable.dataSync().entries()) expect([...own.weights, ...own.bias][k]).toBeCloseTo(value, 5)
})
