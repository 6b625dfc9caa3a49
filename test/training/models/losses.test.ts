import * as tf from '@tensorflow/tfjs-core'
import { beforeAll, expect, test } from 'vitest'
import { pinballLoss } from '../../../training/models/losses.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'
import { score } from '../../../training/scoring/metrics.ts'

beforeAll(() => startBackend())

test('the loss that the fit minimises equals the reported metric', () => {
  const predicted = [
    [1, 4, 9],
    [0, 2, 3],
  ]
  const truth = [12, 1]
  const loss = pinballLoss(
    tf.tensor2d(truth.map((minutes) => [minutes, minutes, minutes])),
    tf.tensor2d(predicted),
    tf.ones([2, 3]),
  ).dataSync()[0]
  const column = (k: number) => Float64Array.from(predicted, (row) => row[k]!)
  const scored = score(Float64Array.from(truth), { p10: column(0), p50: column(1), p90: column(2) })
  expect(loss).toBeCloseTo(scored.pinball_minutes, 5)
})
