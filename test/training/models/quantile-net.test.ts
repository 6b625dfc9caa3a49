import { serialize } from 'node:v8'
import * as tf from '@tensorflow/tfjs-core'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { examplesOf } from '../../../forecasting/features/examples.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { score } from '../../../forecasting/skill/metrics.ts'
import { fitNet } from '../../../training/models/fit.ts'
import {
  createNet,
  disposeNet,
  meanOfNets,
  normalisationOf,
  predictNet,
  readWeights,
} from '../../../training/models/quantile-net.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const examples = examplesOf(prepareSeries(fakeSeries(50, peaks(3))), START + 50 * DAY_MS, 16)
const freshNet = () => createNet(normalisationOf(examples.inputs), 5)

beforeAll(() => startBackend())

test('an unfitted net predicts the centre that it corrects', () => {
  const net = freshNet()
  const predicted = predictNet(net, examples.inputs)
  const differences = predicted.p50.map((minutes, row) => Math.abs(minutes - examples.inputs.p50[row]!))
  expect(Math.max(...differences)).toBeLessThan(0.00005)
  disposeNet(net)
})

test('fitting lowers the loss, gives the same weights for the same seed, and quantiles never cross', () => {
  const fitted = [1, 2].map(() => {
    const net = freshNet()
    const report = fitNet(net, examples, 9)
    const weights = readWeights(net)
    const predicted = predictNet(net, examples.inputs)
    disposeNet(net)
    return { report, weights, predicted }
  })
  const { predicted } = fitted[0]!
  const { p10, p50, p90 } = examples.inputs
  expect(score(examples.truth, predicted).pinball_minutes).toBeLessThan(
    0.995 * score(examples.truth, { p10, p50, p90 }).pinball_minutes,
  )
  expect(predicted.p50.every((minutes, row) => predicted.p10[row]! <= minutes && minutes <= predicted.p90[row]!)).toBe(
    true,
  )
  expect(serialize(fitted[1]).equals(serialize(fitted[0]))).toBe(true)
})

test('the mean of nets predicts between them', () => {
  const nets = [1, 2].map((seed) => {
    const net = createNet(normalisationOf(examples.inputs), seed)
    fitNet(net, examples, seed)
    return net
  })
  const [first, second] = nets.map((net) => predictNet(net, examples.inputs).p50)
  const mean = meanOfNets(nets)
  const outside = predictNet(mean, examples.inputs).p50.map((minutes, row) => {
    const low = Math.min(first![row]!, second![row]!)
    const high = Math.max(first![row]!, second![row]!)
    return Math.max(low - minutes, minutes - high)
  })
  expect(Math.max(...outside)).toBeLessThan(0.2)
  disposeNet(mean)
})

test('fitting, predicting and disposing free all tensors', () => {
  const before = tf.memory().numTensors
  const net = freshNet()
  fitNet(net, examples, 9)
  predictNet(net, examples.inputs)
  disposeNet(net)
  expect(tf.memory().numTensors).toBe(before)
})
