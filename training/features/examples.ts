import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { seededRandom } from '../scoring/statistics.ts'
import { type FeatureRows, featureRows, joinRows, pickRows } from './features.ts'
import { type PreparedSeries, profileAt } from './profile.ts'

/** Inputs with what was later observed, minutes; instants in epoch ms. */
export interface Examples {
  inputs: FeatureRows
  truth: Float64Array
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** When the truth could have been known. */
  known_ms: Float64Array
}

const TRUTH_COLUMNS = ['truth', 'issued_ms', 'valid_ms', 'known_ms'] as const

/** A profile needs this much past before its forecasts are worth learning from. */
export const WARM_UP_DAYS = 10
/** Hours drawn an origin: neighbouring hours and origins tell nearly the same, more rows only cost time. */
const HOURS_PER_ORIGIN = 16

/**
 * Training examples of one series: at an origin every `step_hours` (shifted at random, so that every hour of issue is learnt)
 * the features as they were then, for hours drawn at random over the horizon, where they were observed. The draw does not
 * look at any row, so rows that came after a cutoff cannot change the examples before it (see `knownBy`).
 */
export function examplesOf(series: PreparedSeries, cutoff_ms: number, seed: number, step_hours = 6): Examples {
  const random = seededRandom(seed)
  const rowAt = new Map(Array.from(series.hour_ms, (hour, k) => [hour, k]))
  const parts: Examples[] = []
  const first = series.hour_ms[0] ?? cutoff_ms
  for (let origin = first + WARM_UP_DAYS * DAY_MS; origin < cutoff_ms; origin += step_hours * HOUR_MS) {
    const issued_ms = origin + Math.floor(random() * step_hours) * HOUR_MS
    const found = drawHours(random).flatMap((ahead) => rowAt.get(issued_ms + ahead * HOUR_MS) ?? [])
    const truths = found.filter((k) => series.available_ms[k]! <= cutoff_ms)
    const profile = truths.length > 0 ? profileAt(series, issued_ms) : null
    if (!profile) continue
    const valid_ms = Float64Array.from(truths, (k) => series.hour_ms[k]!)
    parts.push({
      inputs: featureRows(series, profile, valid_ms),
      truth: Float64Array.from(truths, (k) => series.mean[k]!),
      issued_ms: new Float64Array(truths.length).fill(issued_ms),
      valid_ms,
      known_ms: Float64Array.from(truths, (k) => series.available_ms[k]!),
    })
  }
  return joinExamples(parts)
}

/** One hour from each of HOURS_PER_ORIGIN equal parts of the horizon. */
function drawHours(random: () => number): number[] {
  const part = HORIZON_HOURS / HOURS_PER_ORIGIN
  return Array.from({ length: HOURS_PER_ORIGIN }, (_, k) => Math.floor((k + random()) * part))
}

/** The examples that existed at a cutoff: truth known, forecast made. */
export function knownBy(examples: Examples, cutoff_ms: number): Examples {
  return pickExamples(examples, (row) => examples.known_ms[row]! <= cutoff_ms && examples.issued_ms[row]! < cutoff_ms)
}

/** Examples one after the other. */
export function joinExamples(parts: readonly Examples[]): Examples {
  const column = (name: (typeof TRUTH_COLUMNS)[number]) => {
    const joined = new Float64Array(parts.reduce((sum, part) => sum + part.truth.length, 0))
    let at = 0
    for (const part of parts) {
      joined.set(part[name], at)
      at += part[name].length
    }
    return joined
  }
  return {
    inputs: joinRows(parts.map((part) => part.inputs)),
    truth: column('truth'),
    issued_ms: column('issued_ms'),
    valid_ms: column('valid_ms'),
    known_ms: column('known_ms'),
  }
}

/** The examples that a test picks, in order. */
export function pickExamples(examples: Examples, keep: (row: number) => boolean): Examples {
  const rows: number[] = []
  for (let row = 0; row < examples.truth.length; row++) if (keep(row)) rows.push(row)
  const column = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    inputs: pickRows(examples.inputs, rows),
    truth: column(examples.truth),
    issued_ms: column(examples.issued_ms),
    valid_ms: column(examples.valid_ms),
    known_ms: column(examples.known_ms),
  }
}
