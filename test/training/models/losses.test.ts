import { expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { examplesOf } from '../../../forecasting/features/examples.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { pinballOf } from '../../../forecasting/skill/metrics.ts'
import { meanWeight, pinballGradient } from '../../../training/models/losses.ts'
import { widthsOf } from '../../../training/models/quantile-net.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const examples = examplesOf(prepareSeries(fakeSeries(24, peaks(3))), START + 24 * DAY_MS, 24)
const rows = Int32Array.from({ length: 200 }, (_, k) => 3 * k)
const outputs = Float32Array.from({ length: 600 }, (_, k) => Math.sin(k))
const lossOf = (predicted: Float32Array) =>
  pinballGradient(examples, rows, predicted, 1 / meanWeight(examples.inputs, rows))

test('the loss that the fit minimises is the reported metric, weighted by scale and hours ahead', () => {
  const { inputs, truth } = examples
  const widths = widthsOf(inputs)
  let loss = 0
  let total = 0
  for (const [k, row] of rows.entries()) {
    const laterWeight = inputs.horizon[row]! < 6 ? 2 : 1
    const weight = Math.sqrt(inputs.scale[row]!) * (inputs.horizon[row]! < 1 ? 4 : laterWeight)
    const column = (outputColumn: number) =>
      Float64Array.of(outputs[k * 3 + outputColumn]! + widths[row * 3 + outputColumn]!)
    const deviation = (truth[row]! - inputs.p50[row]!) / inputs.scale[row]!
    loss += weight * pinballOf(deviation, { p10: column(0), p50: column(1), p90: column(2) }, 0)
    total += weight
  }
  expect(lossOf(outputs).loss).toBeCloseTo(loss / total, 6)
})

test('the gradient is the slope of the loss', () => {
  const { gradient } = lossOf(outputs)
  for (const index of [0, 1, 2, 301, 599]) {
    const moved = (by: number) => lossOf(outputs.map((value, k) => (k === index ? value + by : value))).loss
    expect(gradient[index]).toBeCloseTo((moved(0.01) - moved(-0.01)) / 0.02, 6)
  }
})
