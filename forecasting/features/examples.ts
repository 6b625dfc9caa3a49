import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import { lowerBound } from '../statistics/statistics.ts'
import { emptyRows, type FeatureRows, firstRows, ROW_BYTES, writeFeatureRows } from './features.ts'
import { type PreparedSeries, profileAt } from './profile.ts'

/** Training examples: inputs and the waits that were observed later (minutes), parallel arrays; instants in epoch ms. */
export interface Examples {
  inputs: FeatureRows
  truth: Float64Array
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** Earliest instant at which the truth could have been known. */
  truth_available_ms: Float64Array
  /** IATA codes, and the position in them of the airport of each example. */
  airports: string[]
  airport: Uint16Array
}

const NUMBERS = ['truth', 'issued_ms', 'valid_ms', 'truth_available_ms'] as const

/** Bytes that one example takes. */
export const EXAMPLE_BYTES = ROW_BYTES + NUMBERS.length * Float64Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT

/** Days of history that a profile needs before its forecasts are worth learning from. */
export const WARM_UP_DAYS = 10

interface Origin {
  series: PreparedSeries
  issued_ms: number
  rows: Int32Array
}

/** The examples of a series: origins every `step_hours`, each with the observed hours of its horizon. */
export interface ExampleRequest {
  series: PreparedSeries
  step_hours: number
  /** Parts that are kept: of the origins, and of the hours that lie `near_hours` or more ahead. They are spread evenly, whatever the hour of day. */
  origin_part?: number
  far_part?: number
  near_hours?: number
}

/** Training examples of one series: an origin every `step_hours`, with every hour of the horizon that was observed. */
export function examplesOf(series: PreparedSeries, cutoff_ms: number, step_hours = 6): Examples {
  return examplesOfAll([{ series, step_hours }], cutoff_ms)
}

/** Training examples of several series, written to one place: they are most of what a training keeps in memory. */
export function examplesOfAll(requests: readonly ExampleRequest[], cutoff_ms: number): Examples {
  const origins = requests.flatMap((request) => originsOf(request, cutoff_ms))
  const count = origins.reduce((sum, { rows }) => sum + rows.length, 0)
  const examples: Examples = {
    inputs: emptyRows(count),
    ...mapKeys(NUMBERS, () => new Float64Array(count)),
    airports: [...new Set(requests.map(({ series }) => series.iata))].sort(),
    airport: new Uint16Array(count),
  }
  const positions = new Map(examples.airports.map((iata, position) => [iata, position]))
  let next = 0
  // The origins of a series follow each other, so that its process learns each hour once.
  for (const { series, issued_ms, rows } of origins) {
    const profile = profileAt(series, issued_ms)
    // Nothing was known at this origin.
    if (!profile) continue
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]!
      examples.truth[next + k] = series.mean[row]!
      examples.valid_ms[next + k] = series.hour_ms[row]!
      examples.truth_available_ms[next + k] = series.available_ms[row]!
    }
    examples.issued_ms.fill(issued_ms, next, next + rows.length)
    examples.airport.fill(positions.get(series.iata)!, next, next + rows.length)
    writeFeatureRows(examples.inputs, next, series, profile, examples.valid_ms.subarray(next, next + rows.length))
    next += rows.length
  }
  return next === count ? examples : firstExamples(examples, next)
}

/** Multiples of these, less their whole part, are spread evenly between 0 and 1, however many are taken, and independently of each other. */
const ORIGIN_SPREAD = (Math.sqrt(5) - 1) / 2
const HOUR_SPREAD = Math.SQRT2 - 1

const isKept = (position: number, part: number) => part >= 1 || position - Math.floor(position) < part

function originsOf(request: ExampleRequest, cutoff_ms: number): Origin[] {
  const { series, step_hours, origin_part = 1, far_part = 1, near_hours = HORIZON_HOURS } = request
  const { hour_ms, available_ms } = series
  const origins: Origin[] = []
  const step = step_hours * HOUR_MS
  const first = Math.ceil(((hour_ms[0] ?? cutoff_ms) + WARM_UP_DAYS * DAY_MS) / step) * step
  for (let issued_ms = first; issued_ms < cutoff_ms; issued_ms += step) {
    const origin = Math.round(issued_ms / step)
    if (!isKept(origin * ORIGIN_SPREAD, origin_part)) continue
    const start = startOfHour(issued_ms)
    const from = lowerBound(hour_ms, start)
    const far = lowerBound(hour_ms, start + near_hours * HOUR_MS)
    const rows = new Int32Array(lowerBound(hour_ms, start + HORIZON_HOURS * HOUR_MS) - from)
    let count = 0
    for (let row = from; row < from + rows.length; row++)
      if (available_ms[row]! <= cutoff_ms && (row < far || isKept((origin + row) * HOUR_SPREAD, far_part)))
        rows[count++] = row
    if (count > 0) origins.push({ series, issued_ms, rows: rows.subarray(0, count) })
  }
  return origins
}

function firstExamples(examples: Examples, count: number): Examples {
  return {
    inputs: firstRows(examples.inputs, count),
    ...mapKeys(NUMBERS, (name) => examples[name].subarray(0, count)),
    airports: examples.airports,
    airport: examples.airport.subarray(0, count),
  }
}

/** The rows of examples that existed at a cutoff: the forecast was issued and its truth was known. */
export function knownBy({ issued_ms, truth_available_ms }: Examples, cutoff_ms: number): Int32Array {
  const rows = new Int32Array(issued_ms.length)
  let count = 0
  for (let row = 0; row < rows.length; row++)
    if (truth_available_ms[row]! <= cutoff_ms && issued_ms[row]! < cutoff_ms) rows[count++] = row
  return rows.subarray(0, count)
}
