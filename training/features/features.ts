import { HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/local-time.ts'
import { clamp } from '../scoring/statistics.ts'
import type { DayKind } from './holidays.ts'
import { dayKinds, type PreparedSeries, type Profile, RECENT_HALF_LIVES_HOURS } from './profile.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Inputs of the model, in order. Inputs in minutes are divided by the profile's scale. An artifact's card repeats this list. */
export const FEATURES = [
  'hour_sin_1',
  'hour_cos_1',
  'hour_sin_2',
  'hour_cos_2',
  'hour_sin_3',
  'hour_cos_3',
  ...WEEKDAYS,
  'holiday',
  'holiday_eve',
  'holiday_morrow',
  'horizon',
  'horizon_near',
  'horizon_day',
  'same_hour_level',
  'same_hour_rise',
  'same_hour_low_width',
  'same_hour_high_width',
  'same_hour_count',
  'smoothed_deviation',
  'mean_deviation',
  'weekly_deviation',
  'day_type_deviation',
  ...RECENT_HALF_LIVES_HOURS.map((hours) => `recent_${hours}h`),
  'recent_3h_faded',
  'recent_24h_faded',
  'hour_recent',
  'same_time_yesterday',
  'same_time_last_week',
  'density',
  'is_terminal',
] as const

/** Inputs of some forecast hours, and the baseline quantiles that the model corrects. */
export interface FeatureRows {
  rows: number
  /** rows × FEATURES.length values, row by row. */
  x: Float32Array
  /** The baseline: same-hour quantiles in minutes. */
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  /** Minutes per scaled unit. */
  scale: Float64Array
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: Uint8Array
}

/** Columns of FeatureRows in minutes. */
const MINUTE_COLUMNS = ['p10', 'p50', 'p90', 'scale'] as const

/** Joins rows in order, for one call of the net. */
export function joinRows(parts: readonly FeatureRows[]): FeatureRows {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const joined = emptyRows(rows)
  let offset = 0
  for (const part of parts) {
    joined.x.set(part.x, offset * FEATURES.length)
    for (const name of MINUTE_COLUMNS) joined[name].set(part[name], offset)
    joined.horizon.set(part.horizon, offset)
    offset += part.rows
  }
  return joined
}

/** Copies the rows with the given indices, in their order. */
export function selectRows(all: FeatureRows, indices: readonly number[]): FeatureRows {
  const selected = emptyRows(indices.length)
  const width = FEATURES.length
  indices.forEach((row, k) => {
    selected.x.set(all.x.subarray(row * width, (row + 1) * width), k * width)
    for (const name of MINUTE_COLUMNS) selected[name][k] = all[name][row]!
    selected.horizon[k] = all.horizon[row]!
  })
  return selected
}

function emptyRows(rows: number): FeatureRows {
  return {
    rows,
    x: new Float32Array(rows * FEATURES.length),
    p10: new Float64Array(rows),
    p50: new Float64Array(rows),
    p90: new Float64Array(rows),
    scale: new Float64Array(rows),
    horizon: new Uint8Array(rows),
  }
}

/** Starts of the HORIZON_HOURS hours that are forecast at an instant, beginning with the hour that contains it. */
export function horizonHours(issued_ms: number): Float64Array {
  const start = Math.floor(issued_ms / HOUR_MS) * HOUR_MS
  return Float64Array.from({ length: HORIZON_HOURS }, (_, k) => start + k * HOUR_MS)
}

/**
 * Inputs of the forecast for some hours, from a profile. Training, backtest and prediction all use this function.
 * `valid_ms` holds starts of hours, none before the hour of issue.
 */
export function featureRows(series: PreparedSeries, profile: Profile, valid_ms: Float64Array): FeatureRows {
  const rows = valid_ms.length
  const width = FEATURES.length
  const clock = localClock(series.timezone, valid_ms)
  const kinds = dayKinds(series, clock)
  const inputs = emptyRows(rows)
  inputs.scale.fill(profile.scale)
  const issuedHour = Math.floor(profile.issued_ms / HOUR_MS) * HOUR_MS
  for (let row = 0; row < rows; row++) {
    const hour = clock.hour[row]!
    const horizon = Math.round((valid_ms[row]! - issuedHour) / HOUR_MS)
    inputs.p10[row] = profile.p10[hour]!
    inputs.p50[row] = profile.p50[hour]!
    inputs.p90[row] = profile.p90[hour]!
    inputs.horizon[row] = horizon
    const forecastHour = { hour, weekday: clock.weekday[row]! - 1, dayKind: kinds[row]!, horizon }
    const isTerminal = series.terminal === '' ? 0 : 1
    inputs.x.set(
      [...calendarFeatures(forecastHour), ...historyFeatures(profile, forecastHour), isTerminal],
      row * width,
    )
  }
  return inputs
}

interface ForecastHour {
  /** Local hour of day, 0–23. */
  hour: number
  /** 0 is Monday. */
  weekday: number
  dayKind: DayKind
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: number
}

/** Multiples of the day's frequency whose sine and cosine describe the local hour. */
const DAY_HARMONICS = [1, 2, 3]
/** The kinds of a day that have an input of their own; a plain day is none of them. */
const SPECIAL_DAY_KINDS: DayKind[] = [1, 2, 3]

function calendarFeatures({ hour, weekday, dayKind, horizon }: ForecastHour): number[] {
  const angle = (2 * Math.PI * hour) / 24
  return [
    ...DAY_HARMONICS.flatMap((k) => [Math.sin(k * angle), Math.cos(k * angle)]),
    ...WEEKDAYS.map((_, day) => (day === weekday ? 1 : 0)),
    ...SPECIAL_DAY_KINDS.map((kind) => (dayKind === kind ? 1 : 0)),
    horizon / HORIZON_HOURS,
    Math.exp(-horizon / 3),
    Math.exp(-horizon / 24),
  ]
}

/** Inputs from the observed past in scaled units, limited to ±5 so that no input leaves the range the net was fitted on. */
function historyFeatures(profile: Profile, { hour, weekday, horizon }: ForecastHour): number[] {
  const { scale } = profile
  const scaled = (minutes: number) => clamp(minutes / scale, -5, 5)
  const [recent3h = 0, recent24h = 0] = profile.recent
  const p50 = profile.p50[hour]!
  return [
    scaled(p50),
    scaled(p50 - profile.level),
    scaled(p50 - profile.p10[hour]!),
    scaled(profile.p90[hour]! - p50),
    Math.log1p(profile.count[hour]!) / 3.5,
    scaled(profile.smoothed[hour]!),
    scaled(profile.skew[hour]!),
    scaled(profile.weekly[weekday * 24 + hour]!),
    scaled(profile.day_type[(weekday > 4 ? 24 : 0) + hour]!),
    ...Array.from(profile.recent, scaled),
    scaled(recent3h * Math.exp(-horizon / 3)),
    scaled(recent24h * Math.exp(-horizon / 24)),
    scaled(profile.hour_recent[hour]!),
    scaled(sameTimeBefore(profile, horizon, 24)),
    scaled(sameTimeBefore(profile, horizon, 168)),
    profile.density,
  ]
}

/** Deviation at the latest hour that ended a whole number of periods before the forecast hour; 0 when it was not observed. */
function sameTimeBefore(profile: Profile, horizon: number, period: number): number {
  const hoursBeforeIssue = period - (horizon % period)
  const deviation = profile.last_week[hoursBeforeIssue - 1]!
  return Number.isNaN(deviation) ? 0 : deviation
}
