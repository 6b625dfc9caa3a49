import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'
import type { DenseLayer } from './dense-layers.ts'

/**
 * Inputs that a fit learns for each airport. They are no inputs of the fitted net: they only add a constant to each unit of its first
 * layer, so the net of an airport is the shared net with other biases.
 */
export interface AirportInputs {
  airports: readonly string[]
  width: number
  /** [airports, width], row by row. */
  values: Float32Array
  /** Weights of the first layer for them: [width, units], row by row. */
  weights: Float32Array
}

const FIRST_VALUES = 0.1
/** Drawn apart from the order of rows and from dropout. */
const AIRPORT_SEED = 2_000_003

/** Inputs before a fit; null if a training has none. */
export function createAirportInputs(
  airports: readonly string[],
  seed: number,
  inputs: number,
  { airport_inputs: width, hidden_units }: TrainingSettings['net'],
): AirportInputs | null {
  if (width === 0) return null
  const random = seededRandom(seed + AIRPORT_SEED)
  const between = (length: number, limit: number) => Float32Array.from({ length }, () => limit * (2 * random() - 1))
  return {
    airports,
    width,
    // The limits give the values this standard deviation, and the weights that of the other inputs.
    values: between(airports.length * width, FIRST_VALUES * Math.sqrt(3)),
    weights: between(width * hidden_units[0]!, Math.sqrt(6 / (inputs + width))),
  }
}

/** The first layer with the weights of the airport's inputs after its own. */
export function withAirportInputs({ weights, bias }: DenseLayer, { weights: own }: AirportInputs): DenseLayer {
  const joined = new Float32Array(weights.length + own.length)
  joined.set(weights)
  joined.set(own, weights.length)
  return { weights: joined, bias }
}

/** The gradient of the values, from that of the units of the first layer; `weights` are the present ones of the airport's inputs. */
export function valuesGradient(
  { values, width }: AirportInputs,
  weights: Float32Array,
  airports: Uint16Array,
  ofUnits: Float32Array,
  penalty: number,
): Float32Array {
  const units = weights.length / width
  const gradient = values.map((value) => 2 * penalty * value)
  for (let row = 0; row < airports.length; row++)
    for (let k = 0; k < width; k++) {
      let sum = 0
      for (let unit = 0; unit < units; unit++) sum += ofUnits[row * units + unit]! * weights[k * units + unit]!
      gradient[airports[row]! * width + k]! += sum
    }
  return gradient
}

/** The addition to the biases of the first layer at each airport: [airports, units], row by row. */
export function airportBiases({ airports, width, values, weights }: AirportInputs): Float32Array {
  const units = weights.length / width
  const biases = new Float32Array(airports.length * units)
  for (let airport = 0; airport < airports.length; airport++)
    for (let unit = 0; unit < units; unit++) {
      let sum = 0
      for (let k = 0; k < width; k++) sum += values[airport * width + k]! * weights[k * units + unit]!
      biases[airport * units + unit] = sum
    }
  return biases
}

/** A fit's weights with what is each airport's own. */
export interface FittedBiases {
  weights: Float32Array[]
  airports: string[]
  /** [airports, units of the first layer], row by row. */
  airport_biases: Float32Array
}

/** Position of the first layer's biases in the weights of a net. */
const FIRST_BIASES = 1

/** Weights of the net of one airport; those of the shared net for an airport that the fit did not know. */
export function weightsOfAirport({ weights, airports, airport_biases }: FittedBiases, iata: string): Float32Array[] {
  const position = airports.indexOf(iata)
  if (position === -1) return weights
  return weights.map((array, k) =>
    k === FIRST_BIASES ? array.map((bias, unit) => bias + airport_biases[position * array.length + unit]!) : array,
  )
}
