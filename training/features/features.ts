import { HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/local-time.ts'
import { dayKinds, type PreparedSeries, type Profile, RECENT_HALF_LIVES_HOURS } from './profile.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** The model's inputs, in order. All in minutes are divided by the profile's scale. An artifact keeps this list. */
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

/** Inputs of a set of forecast hours and the baseline quantiles that the model corrects. */
export interface FeatureRows {
  rows: number
  /** rows × FEATURES.length, row by row. */
  x: Float32Array
  /** Same-hour quantiles in minutes: the baseline. */
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  /** Minutes per scaled unit. */
  scale: Float64Array
  horizon: Uint8Array
}

/** The columns of FeatureRows that are plain minutes. */
const MINUTE_COLUMNS = ['p10', 'p50', 'p90', 'scale'] as const

/** Blocks of rows one after the other, for one call of the net. */
export function joinRows(parts: readonly FeatureRows[]): FeatureRows {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const joined = emptyRows(rows)
  let at = 0
  for (const part of parts) {
    joined.x.set(part.x, at * FEATURES.length)
    for (const name of MINUTE_COLUMNS) joined[name].set(part[name], at)
    joined.horizon.set(part.horizon, at)
    at += part.rows
  }
  return joined
}

/** The rows that `keep` picks, in order. */
export function pickRows(all: FeatureRows, keep: readonly number[]): FeatureRows {
  const picked = emptyRows(keep.length)
  const width = FEATURES.length
  keep.forEach((row, k) => {
    picked.x.set(all.x.subarray(row * width, (row + 1) * width), k * width)
    for (const name of MINUTE_COLUMNS) picked[name][k] = all[name][row]!
    picked.horizon[k] = all.horizon[row]!
  })
  return picked
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

/** Valid hours of an origin: the hour it falls in, and on, HORIZON_HOURS in all. */
export function horizonHours(issued_ms: number): Float64Array {
  const start = Math.floor(issued_ms / HOUR_MS) * HOUR_MS
  return Float64Array.from({ length: HORIZON_HOURS }, (_, k) => start + k * HOUR_MS)
}

/**
 * Inputs for some valid hours, from what a profile knew when it was made: the one function that trains, backtests and
 * predicts. `valid_ms` are starts of hours from the hour of issue on.
 */
export function featureRows(series: PreparedSeries, profile: Profile, valid_ms: Float64Array): FeatureRows {
  const rows = valid_ms.length
  const width = FEATURES.length
  const clock = localClock(series.timezone, valid_ms)
  const kinds = dayKinds(series, clock)
  const made = emptyRows(rows)
  made.scale.fill(profile.scale)
  const issuedHour = Math.floor(profile.issued_ms / HOUR_MS) * HOUR_MS
  for (let row = 0; row < rows; row++) {
    const hour = clock.hour[row]!
    const horizon = Math.round((valid_ms[row]! - issuedHour) / HOUR_MS)
    made.p10[row] = profile.p10[hour]!
    made.p50[row] = profile.p50[hour]!
    made.p90[row] = profile.p90[hour]!
    made.horizon[row] = horizon
    const when = { hour, weekday: clock.weekday[row]! - 1, kind: kinds[row]!, horizon }
    made.x.set([...calendar(when), ...memory(profile, when), series.terminal === '' ? 0 : 1], row * width)
  }
  return made
}

interface When {
  hour: number
  /** 0 Monday. */
  weekday: number
  kind: number
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: number
}

function calendar({ hour, weekday, kind, horizon }: When): number[] {
  const turn = (2 * Math.PI * hour) / 24
  return [
    ...[1, 2, 3].flatMap((k) => [Math.sin(k * turn), Math.cos(k * turn)]),
    ...WEEKDAYS.map((_, day) => (day === weekday ? 1 : 0)),
    ...[1, 2, 3].map((one) => (kind === one ? 1 : 0)),
    horizon / HORIZON_HOURS,
    Math.exp(-horizon / 3),
    Math.exp(-horizon / 24),
  ]
}

/** What the past says, in scaled units, held within ±5 so that no input leaves the range the net was fitted on. */
function memory(profile: Profile, { hour, weekday, horizon }: When): number[] {
  const { scale } = profile
  const scaled = (minutes: number) => Math.max(-5, Math.min(5, minutes / scale))
  const [near = 0, day = 0] = profile.recent
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
    scaled(near * Math.exp(-horizon / 3)),
    scaled(day * Math.exp(-horizon / 24)),
    scaled(profile.hour_recent[hour]!),
    scaled(sameTimeBefore(profile, horizon, 24)),
    scaled(sameTimeBefore(profile, horizon, 168)),
    profile.density,
  ]
}

/** Deviation at the latest observed same time, whole periods before; 0 (no deviation known) when it was not observed. */
function sameTimeBefore(profile: Profile, horizon: number, period: number): number {
  const hoursBeforeIssue = period - (horizon % period)
  const found = profile.last_week[hoursBeforeIssue - 1]!
  return Number.isNaN(found) ? 0 : found
}
