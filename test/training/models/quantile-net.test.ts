import * as tf from '@tensorflow/tfjs-core'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../config/domain.ts'
import { examplesOf } from '../../../training/features/examples.ts'
import { prepareSeries } from '../../../training/features/profile.ts'
import { fitNet, splitByTime } from '../../../training/models/fit.ts'
import {
  createNet,
  disposeNet,
  normalisationOf,
  predictNet,
  readWeights,
} from '../../../training/models/quantile-net.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const examples = examplesOf(prepareSeries(fakeSeries(50, peaks(3))), START + 50 * DAY_MS, 1)
const freshNet = () => createNet(normalisationOf(examples.inputs), 5)

beforeAll(() => startBackend())

test('an unfitted net predicts the baseline', () => {
  const net = freshNet()
  const predicted = predictNet(net, examples.inputs)
  predicted.p50.forEach((minutes, row) => {
    expect(minutes).toBeCloseTo(examples.inputs.p50[row]!, 4)
  })
  disposeNet(net)
})

test('fitting lowers the validation loss and gives the same weights for the same seed', () => {
  const fitted = [1, 2].map(() => {
    const net = freshNet()
    const report = fitNet(net, examples, { seed: 9, max_epochs: 24 })
    const weights = readWeights(net)
    disposeNet(net)
    return { report, weights }
  })
  expect(fitted[0]!.report.best_loss).toBeLessThan(0.9 * fitted[0]!.report.initial_loss)
  expect(fitted[1]).toEqual(fitted[0])
})

test('the validation tail is later than every training example', () => {
  const { train, validation } = splitByTime(examples)
  expect(train.truth.length).toBeGreaterThan(0)
  expect(Math.max(...train.valid_ms)).toBeLessThan(Math.min(...validation.issued_ms))
})

test('fitting, predicting and disposing free all tensors', () => {
  const before = tf.memory().numTensors
  const net = freshNet()
  fitNet(net, examples, { seed: 9, max_epochs: 2 })
  predictNet(net, examples.inputs)
  disposeNet(net)
  expect(tf.memory().numTensors).toBe(before)
})
