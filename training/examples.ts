import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../config/domain.ts'
import { FEATURES, type FeatureRows, featureRows } from './features.ts'
import { type PreparedSeries, profileAt } from './profile.ts'
import { seededRandom } from './statistics.ts'

/** Inputs with what was later observed, minutes. */
export interface Examples extends FeatureRows {
  truth: Float64Array
  issued_ms: Float64Array
  valid_ms: Float64Array
}

export interface ExampleOptions {
  /** Nothing available after this instant is used, neither as input nor as truth; epoch ms. */
  cutoff_ms: number
  seed: number
  /** Hours between origins. */
  step_hours?: number
  /** At most so many truths an origin, drawn evenly at random over the horizon. */
  per_origin?: number
}

/** A profile needs this much past before its forecasts are worth learning from. */
export const WARM_UP_DAYS = 10

/** Training examples of one series: at every origin the features as they were then, with the truths known by the cutoff. */
export function examplesOf(series: PreparedSeries, options: ExampleOptions): Examples {
  const random = seededRandom(options.seed)
  const parts: Examples[] = []
  const first = series.hour_ms[0]
  const step = (options.step_hours ?? 6) * HOUR_MS
  if (first === undefined) return joinExamples([])
  // Origins off the hour by a random whole number of hours, so that all local hours of issue are learnt.
  for (let origin = first + WARM_UP_DAYS * DAY_MS; origin < options.cutoff_ms; origin += step) {
    const issued_ms = origin + Math.floor(random() * (step / HOUR_MS)) * HOUR_MS
    const truths = drawn(truthsAfter(series, issued_ms, options.cutoff_ms), options.per_origin ?? 24, random)
    const profile = truths.length > 0 ? profileAt(series, issued_ms) : null
    if (profile) parts.push(examplesAt(series, profile, truths))
  }
  return joinExamples(parts)
}

/** Rows whose hour lies within the horizon of an origin and was known by the cutoff. */
export function truthsAfter(series: PreparedSeries, issued_ms: number, cutoff_ms: number): number[] {
  const start = Math.floor(issued_ms / HOUR_MS) * HOUR_MS
  const end = start + HORIZON_HOURS * HOUR_MS
  const found: number[] = []
  for (let k = lowerBound(series.hour_ms, start); k < series.hour_ms.length && series.hour_ms[k]! < end; k++)
    if (series.available_ms[k]! <= cutoff_ms) found.push(k)
  return found
}

/** First index whose value is not below `value`, in ascending numbers. */
function lowerBound(ascending: Float64Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function drawn(rows: number[], most: number, random: () => number): number[] {
  if (rows.length <= most) return rows
  const stride = rows.length / most
  return Array.from({ length: most }, (_, k) => rows[Math.floor((k + random()) * stride)]!)
}

function examplesAt(series: PreparedSeries, profile: NonNullable<ReturnType<typeof profileAt>>, truths: number[]): Examples {
  const valid_ms = Float64Array.from(truths, (k) => series.hour_ms[k]!)
  return {
    ...featureRows(series, profile, valid_ms),
    truth: Float64Array.from(truths, (k) => series.mean[k]!),
    issued_ms: new Float64Array(truths.length).fill(profile.issued_ms),
    valid_ms,
  }
}

/** Examples one after the other. */
export function joinExamples(parts: Examples[]): Examples {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const joined: Examples = {
    rows,
    x: new Float32Array(rows * FEATURES.length),
    p10: new Float64Array(rows),
    p50: new Float64Array(rows),
    p90: new Float64Array(rows),
    scale: new Float64Array(rows),
    horizon: new Uint8Array(rows),
    truth: new Float64Array(rows),
    issued_ms: new Float64Array(rows),
    valid_ms: new Float64Array(rows),
  }
  let at = 0
  for (const part of parts) {
    joined.x.set(part.x, at * FEATURES.length)
    for (const name of ['p10', 'p50', 'p90', 'scale', 'truth', 'issued_ms', 'valid_ms'] as const)
      joined[name].set(part[name], at)
    joined.horizon.set(part.horizon, at)
    at += part.rows
  }
  return joined
}

/** The examples that a test picks, in order. */
export function pickExamples(examples: Examples, keep: (row: number) => boolean): Examples {
  const width = FEATURES.length
  const rows: number[] = []
  for (let row = 0; row < examples.rows; row++) if (keep(row)) rows.push(row)
  const column = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  const x = new Float32Array(rows.length * width)
  rows.forEach((row, k) => {
    x.set(examples.x.subarray(row * width, (row + 1) * width), k * width)
  })
  return {
    rows: rows.length,
    x,
    p10: column(examples.p10),
    p50: column(examples.p50),
    p90: column(examples.p90),
    scale: column(examples.scale),
    horizon: Uint8Array.from(rows, (row) => examples.horizon[row]!),
    truth: column(examples.truth),
    issued_ms: column(examples.issued_ms),
    valid_ms: column(examples.valid_ms),
  }
}
