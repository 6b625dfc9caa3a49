import { concatenate } from '../../config/concatenate.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { type FeatureRows, featureRows, horizonHours, joinRows, selectRows } from './features.ts'
import { type PreparedSeries, profileAt } from './profile.ts'

/** Training examples: inputs and the waits that were observed later (minutes), parallel arrays; instants in epoch ms. */
export interface Examples {
  inputs: FeatureRows
  truth: Float64Array
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** Earliest instant at which the truth could have been known. */
  truth_available_ms: Float64Array
}

/** Days of history that a profile needs before its forecasts are worth learning from. */
export const WARM_UP_DAYS = 10

/** Training examples of one series: an origin every `step_hours`, with every hour of the horizon that was observed. */
export function examplesOf(series: PreparedSeries, cutoff_ms: number, step_hours = 6): Examples {
  const rowOfHour = new Map(Array.from(series.hour_ms, (hour, row) => [hour, row]))
  const parts: Examples[] = []
  const step = step_hours * HOUR_MS
  const first = Math.ceil(((series.hour_ms[0] ?? cutoff_ms) + WARM_UP_DAYS * DAY_MS) / step) * step
  for (let issued_ms = first; issued_ms < cutoff_ms; issued_ms += step) {
    const rows = Array.from(horizonHours(issued_ms), (hour) => rowOfHour.get(hour)).filter(
      (row): row is number => row !== undefined && series.available_ms[row]! <= cutoff_ms,
    )
    if (rows.length > 0) parts.push(...examplesAt(series, issued_ms, rows))
  }
  return joinExamples(parts)
}

/** The examples of one origin: `rows` of the series are the truths. None when nothing was known at the origin. */
function examplesAt(series: PreparedSeries, issued_ms: number, rows: readonly number[]): Examples[] {
  const profile = profileAt(series, issued_ms)
  if (!profile) return []
  const column = (name: 'hour_ms' | 'mean' | 'available_ms') => Float64Array.from(rows, (row) => series[name][row]!)
  const valid_ms = column('hour_ms')
  return [
    {
      inputs: featureRows(series, profile, valid_ms),
      truth: column('mean'),
      issued_ms: new Float64Array(rows.length).fill(issued_ms),
      valid_ms,
      truth_available_ms: column('available_ms'),
    },
  ]
}

/** The examples that existed at a cutoff: the forecast was issued and its truth was known. */
export function knownBy(examples: Examples, cutoff_ms: number): Examples {
  return selectExamples(
    examples,
    (row) => examples.truth_available_ms[row]! <= cutoff_ms && examples.issued_ms[row]! < cutoff_ms,
  )
}

/** Joins examples in order. */
export function joinExamples(parts: readonly Examples[]): Examples {
  return {
    inputs: joinRows(parts.map((part) => part.inputs)),
    truth: concatenate(parts.map((part) => part.truth)),
    issued_ms: concatenate(parts.map((part) => part.issued_ms)),
    valid_ms: concatenate(parts.map((part) => part.valid_ms)),
    truth_available_ms: concatenate(parts.map((part) => part.truth_available_ms)),
  }
}

/** The examples whose row `selects` accepts, in order. */
export function selectExamples(examples: Examples, selects: (row: number) => boolean): Examples {
  const rows: number[] = []
  for (let row = 0; row < examples.truth.length; row++) if (selects(row)) rows.push(row)
  const column = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    inputs: selectRows(examples.inputs, rows),
    truth: column(examples.truth),
    issued_ms: column(examples.issued_ms),
    valid_ms: column(examples.valid_ms),
    truth_available_ms: column(examples.truth_available_ms),
  }
}
