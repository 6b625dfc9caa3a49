import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { columnBytes, readColumnBytes } from '../../../training/fits/column-bytes.ts'
import { fitInputBytes, readFitInput } from '../../../training/fits/fit-task.ts'
import { localFits, openFits } from '../../../training/fits/fits.ts'
import { fitEnsemble, pooledExamples } from '../../../training/models/pooled-fit.ts'
import { readWeights } from '../../../training/models/quantile-net.ts'
import { trainingSettings } from '../../../training/settings/training-settings.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

test('columns of numbers keep their exact values as bytes', () => {
  const column = fc.oneof(fc.float64Array(), fc.float32Array())
  fc.assert(
    fc.property(fc.json(), fc.array(column, { maxLength: 4 }), (about, columns) => {
      const bytes = columnBytes(JSON.parse(about), columns)
      // What is read from a store is a part of a larger piece of memory.
      for (const stored of [bytes, Buffer.concat([Buffer.alloc(8), bytes]).subarray(8)])
        expect(readColumnBytes(stored, { parse: (value) => value })).toEqual({ about: JSON.parse(about), columns })
    }),
    { numRuns: 40 },
  )
})

const settings = trainingSettings({
  seeds: [1, 2],
  net: { hidden_units: [4] },
  net_share: { from_days: 0, full_days: 5 },
  fit: { epochs: 1, origin_step_hours: 48, lane_examples: 1_000 },
})
const cutoff_ms = START + 14 * DAY_MS
const input = {
  series: [
    fakeSeries(14, peaks(1)),
    Object.assign(fakeSeries(14, peaks(2), { iata: 'ZRH' }), { direction: 'entry' as const }),
  ],
  lanes: [fakeSeries(12, peaks(3), { terminal: 'T4/main/standard' })],
  cutoff_ms,
  settings,
}

test('the input of fits is the same after its way through bytes', () => {
  expect(readFitInput(fitInputBytes(input))).toEqual(input)
})

test('fits that are tasks have the weights of fits on the same examples, at each cutoff and from each seed', async () => {
  const earlier = cutoff_ms - 2 * DAY_MS
  const fits = await openFits(localFits(), input, [
    { cutoff_ms: earlier, seeds: [2] },
    { cutoff_ms, seeds: [1, 2] },
  ])
  const examples = pooledExamples(input.series.map(prepareSeries), input.lanes.map(prepareSeries), cutoff_ms, settings)
  for (const wanted of [
    { cutoff_ms, seeds: [1, 2] },
    { cutoff_ms: earlier, seeds: [2] },
  ]) {
    const fit = await fits.ensemble(wanted)
    const own = fitEnsemble(examples, wanted.cutoff_ms, { ...settings, seeds: wanted.seeds })
    for (const { iata } of [...input.series, { iata: 'ZZZ' }]) {
      const [net, other] = [fit.netOf(iata), own.netOf(iata)]
      expect(readWeights(net)).toEqual(readWeights(other))
      expect([fit.share, fit.report, net.normalisation]).toEqual([own.share, own.report, other.normalisation])
    }
    for (const { dispose } of [fit, own]) dispose()
  }
})
