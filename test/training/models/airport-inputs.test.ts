import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { examplesOfAll } from '../../../forecasting/features/examples.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { airportBiases, valuesGradient, weightsOfAirport } from '../../../training/models/airport-inputs.ts'
import { fitEnsemble } from '../../../training/models/pooled-fit.ts'
import { predictNet, readWeights } from '../../../training/models/quantile-net.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'
import { type GivenSettings, trainingSettings } from '../../../training/settings/training-settings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const CUTOFF = START + 40 * DAY_MS
/** Two airports with the same past; what is observed next is later 4 minutes above it at one, and 4 below at the other. */
const examples = (() => {
  const series = ['JFK', 'EWR'].map((iata) => prepareSeries(fakeSeries(40, peaks(3), { iata })))
  const same = examplesOfAll(
    series.map((queueSeries) => ({ series: queueSeries, step_hours: 24 })),
    CUTOFF,
  )
  const shiftOf = (row: number) => (same.airports[same.airport[row]!] === 'JFK' ? 4 : -4)
  return { ...same, truth: same.truth.map((minutes, row) => minutes + shiftOf(row)) }
})()

const fitted = (net: GivenSettings['net']) =>
  fitEnsemble(
    examples,
    CUTOFF,
    trainingSettings({
      seeds: [1, 2],
      net,
      net_share: { from_days: 0, full_days: 10 },
      fit: { batch_size: 128, epochs: 10, far_share: 0.1, warm_up_steps: 10, learning_rate: 0.01 },
    }),
  )

beforeAll(() => startBackend())

/** How far the medians of an airport lie above those of the shared centre on average, minutes. */
function shiftAt({ netOf }: ReturnType<typeof fitted>, iata: string): number {
  const { p50 } = predictNet(netOf(iata), examples.inputs)
  return p50.reduce((sum, minutes, row) => sum + minutes - examples.inputs.p50[row]!, 0) / p50.length
}

test('airports with the same inputs and other waits have nets of their own, and an unknown airport the shared one', () => {
  const fit = fitted({ airport_penalty: 0.00001 })
  expect(shiftAt(fit, 'JFK')).toBeGreaterThan(2)
  expect(shiftAt(fit, 'EWR')).toBeLessThan(-2)
  expect(Math.abs(shiftAt(fit, 'ZZZ'))).toBeLessThan(2)
  expect(fit.netOf('JFK')).toBe(fit.netOf('JFK'))
  expect(fit.netOf('ZZZ')).toBe(fit.netOf('YYY'))
  fit.dispose()
})

test.runIf(EXHAUSTIVE)('without inputs of airports, or with a high penalty, airports share one net', () => {
  const shared = fitted({ airport_inputs: 0 })
  expect(shared.netOf('JFK')).toBe(shared.netOf('EWR'))
  const penalised = fitted({ airport_penalty: 1 })
  expect(shiftAt(penalised, 'JFK') - shiftAt(penalised, 'EWR')).toBeLessThan(1)
  for (const { dispose } of [shared, penalised]) dispose()
})

test.runIf(EXHAUSTIVE)('the same seeds give the same bytes', () => {
  const [first, second] = [fitted({}), fitted({})]
  expect(readWeights(first.netOf('EWR'))).toEqual(readWeights(second.netOf('EWR')))
  for (const { dispose } of [first, second]) dispose()
})

const random = seededRandom(7)
const numbers = (length: number) => Float32Array.from({ length }, () => random() - 0.5)
const own = { airports: ['EWR', 'JFK', 'LGA'], width: 2, values: numbers(6), weights: numbers(8) }

test('the biases of an airport are its inputs times their weights', () => {
  const airport_biases = airportBiases(own)
  const [, , first, second] = own.values
  expect(airport_biases[4 + 3]).toBeCloseTo(first! * own.weights[3]! + second! * own.weights[7]!, 6)
  const weights = [numbers(5 * 4), numbers(4), numbers(4 * 3), numbers(3)]
  const ofAirport = weightsOfAirport({ weights, airports: own.airports, airport_biases }, 'JFK')
  expect(ofAirport.map((array, k) => array === weights[k])).toEqual([true, false, true, true])
  expect(ofAirport[1]![3]).toBeCloseTo(weights[1]![3]! + airport_biases[7]!, 6)
  expect(weightsOfAirport({ weights, airports: own.airports, airport_biases }, 'ZZZ')).toBe(weights)
})

test('the gradient of the inputs equals the change of the loss', () => {
  const airports = Uint16Array.of(0, 2, 2)
  const ofUnits = numbers(3 * 4)
  const penalty = 0.3
  const lossAt = (values: Float32Array) => {
    const biases = airportBiases({ ...own, values })
    const ofRow = (row: number, unit: number) => ofUnits[row * 4 + unit]! * biases[airports[row]! * 4 + unit]!
    const outputs = ofUnits.reduce((sum, _, index) => sum + ofRow(Math.floor(index / 4), index % 4), 0)
    return outputs + penalty * values.reduce((sum, value) => sum + value ** 2, 0)
  }
  const gradient = valuesGradient(own, own.weights, airports, ofUnits, penalty)
  const step = 1e-3
  for (const [k, slope] of gradient.entries()) {
    const moved = [step, -step].map((by) =>
      lossAt(own.values.map((value, index) => (index === k ? value + by : value))),
    )
    expect(slope).toBeCloseTo((moved[0]! - moved[1]!) / (2 * step), 3)
  }
})
