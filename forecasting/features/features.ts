import { mapKeys } from '../../config/map-keys.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { HORIZON_HOURS, HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import { NEAR_MINUTES } from '../quantiles/quantiles.ts'
import { holidayCalendar } from './holidays.ts'
import { deviationOfThreeWeeks, FEATURES, writeInputs } from './inputs.ts'
import { type PreparedSeries, type Profile, profileAt } from './profile.ts'

/** Columns of FeatureRows beside the inputs and the hours ahead. */
export const OWN_COLUMNS = [
  // The rule, which the model corrects: what the process expects, and the spread of the usual climatology around it, in minutes.
  'p10',
  'p50',
  'p90',
  // The baseline: same-hour quantiles of the trailing 28 days, minutes.
  'same_hour_p10',
  'same_hour_p50',
  'same_hour_p90',
  // Minutes per scaled unit.
  'scale',
  // The waits are multiples of this many minutes; 0 if they are not.
  'step',
  // Share of the recent waits of this local hour within 5 minutes of the rule, between 0 and 1.
  'near_share',
] as const
type OwnColumn = (typeof OWN_COLUMNS)[number]

/** Inputs of some forecast hours, and the quantiles that the model corrects. */
export interface FeatureRows extends Record<OwnColumn, Float64Array> {
  rows: number
  /** rows × FEATURES.length values, row by row. */
  x: Float32Array
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: Uint8Array
}

const ownColumns = (columnOf: (name: OwnColumn) => Float64Array) => mapKeys(OWN_COLUMNS, columnOf)

/** Joins rows in order, for one call of the net. */
export function joinRows(parts: readonly FeatureRows[]): FeatureRows {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const joined = emptyRows(rows)
  let offset = 0
  for (const part of parts) {
    joined.x.set(part.x, offset * FEATURES.length)
    for (const name of OWN_COLUMNS) joined[name].set(part[name], offset)
    joined.horizon.set(part.horizon, offset)
    offset += part.rows
  }
  return joined
}

/** The first rows, without copying them. */
export function firstRows(all: FeatureRows, rows: number): FeatureRows {
  return {
    rows,
    x: all.x.subarray(0, rows * FEATURES.length),
    horizon: all.horizon.subarray(0, rows),
    ...ownColumns((name) => all[name].subarray(0, rows)),
  }
}

/** Rows to be written, all zero. */
/** Bytes that one row takes. */
export const ROW_BYTES =
  FEATURES.length * Float32Array.BYTES_PER_ELEMENT + OWN_COLUMNS.length * Float64Array.BYTES_PER_ELEMENT + 1

export function emptyRows(rows: number): FeatureRows {
  return {
    rows,
    x: new Float32Array(rows * FEATURES.length),
    horizon: new Uint8Array(rows),
    ...ownColumns(() => new Float64Array(rows)),
  }
}

/** Starts of the HORIZON_HOURS hours that are forecast at an instant, beginning with the hour that contains it. */
export function horizonHours(issued_ms: number): Float64Array {
  const start = startOfHour(issued_ms)
  return Float64Array.from({ length: HORIZON_HOURS }, (_, k) => start + k * HOUR_MS)
}

/** Inputs of all hours of the horizon at an instant of issue; null when no hour was known then. */
export type ForecastRows = (series: PreparedSeries, issued_ms: number) => FeatureRows | null

export const forecastRows: ForecastRows = (series, issued_ms) => {
  const profile = profileAt(series, issued_ms)
  return profile ? featureRows(series, profile, horizonHours(issued_ms)) : null
}

/**
 * Inputs of the forecast for some hours, from a profile. Training, backtest and prediction all use this function.
 * `valid_ms` holds starts of hours, none before the hour of issue.
 */
export function featureRows(series: PreparedSeries, profile: Profile, valid_ms: Float64Array): FeatureRows {
  const inputs = emptyRows(valid_ms.length)
  writeFeatureRows(inputs, 0, series, profile, valid_ms)
  return inputs
}

/** Writes the inputs of some hours into rows, from `offset` on. */
export function writeFeatureRows(
  inputs: FeatureRows,
  offset: number,
  series: PreparedSeries,
  profile: Profile,
  valid_ms: Float64Array,
): void {
  const clock = localClock(series.timezone, valid_ms)
  const holidayOf = holidayCalendar(series.country)
  const issuedHour = startOfHour(profile.issued_ms)
  const { same_hour, medians, usual_p10, usual_p90, process } = profile
  const innovations = process.innovations(profile.issued_ms / HOUR_MS)
  for (let k = 0; k < valid_ms.length; k++) {
    const row = offset + k
    const hour = clock.hour[k]!
    const weekday = clock.weekday[k]! - 1
    const cell = weekday * 24 + hour
    const horizon = Math.round((valid_ms[k]! - issuedHour) / HOUR_MS)
    const usual = medians.usual[cell]!
    const three_weeks = deviationOfThreeWeeks(profile, horizon)
    inputs.scale[row] = profile.scale
    const expected = process.expected(valid_ms[k]! / HOUR_MS, cell)
    inputs.p50[row] = expected
    inputs.p10[row] = expected - (usual - usual_p10[cell]!)
    inputs.p90[row] = expected + (usual_p90[cell]! - usual)
    inputs.same_hour_p10[row] = same_hour.p10[hour]!
    inputs.same_hour_p50[row] = same_hour.p50[hour]!
    inputs.same_hour_p90[row] = same_hour.p90[hour]!
    inputs.step[row] = profile.step
    inputs.near_share[row] = nearShare(profile, hour, expected)
    inputs.horizon[row] = horizon
    const holiday = holidayOf(clock.day[k]!)
    const about = { profile, hour, weekday, cell, holiday, horizon, usual, three_weeks, expected, innovations }
    writeInputs(inputs.x, row * FEATURES.length, about)
  }
}

/** One imaginary recent wait, within 5 minutes of the rule with this probability, stands for an hour that was hardly observed. */
const PRIOR_NEAR_SHARE = 0.9

function nearShare(profile: Profile, hour: number, minutes: number): number {
  const { inside, total } = profile.weightWithin(hour, minutes, NEAR_MINUTES)
  return (inside + PRIOR_NEAR_SHARE) / (total + 1)
}
