import { HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/local-time.ts'
import { clamp } from '../scoring/statistics.ts'
import type { InputGroup } from '../settings/run-settings.ts'
import { WEEK_HOURS } from './climatology.ts'
import { type DayKind, daysToHoliday } from './holidays.ts'
import { dayKinds, nearDeviation, type PreparedSeries, type Profile, profileAt } from './profile.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** Climatologies whose median is an input of its own. */
const MEDIAN_INPUTS = ['b', 'c', 'd', 'g', 'p', 'r', 's', 't'] as const

/** Inputs of the model, in order. Inputs in minutes are divided by the profile's scale. An artifact's card repeats this list. */
export const FEATURES = [
  'hour_sin_1',
  'hour_cos_1',
  'hour_sin_2',
  'hour_cos_2',
  ...WEEKDAYS,
  'holiday',
  'holiday_eve',
  'holiday_morrow',
  'holiday_near',
  'horizon',
  'horizon_near',
  'horizon_day',
  'horizon_first_day',
  ...MEDIAN_INPUTS.map((name) => `median_${name}`),
  'same_hour_p10',
  'same_hour_p50',
  'same_hour_p90',
  'same_hour_mean',
  'week_hour_median',
  'a10',
  'a90',
  'p10',
  'p90',
  'hour_level',
  'same_hour_count',
  'log_scale',
  'log_level',
  'recent_24h',
  'recent_72h',
  'recent_168h',
  'recent_2h_faded',
  'recent_6h_faded',
  'recent_24h_faded',
  'latest_faded',
  'hour_recent',
  'near_yesterday',
  'near_last_week',
  'near_three_weeks',
  'week_deviation',
] as const

/** The group of each input. A run can leave groups out, to measure what they are worth. */
const INPUTS_OF_GROUP: Record<InputGroup, readonly (typeof FEATURES)[number][]> = {
  clock: ['hour_sin_1', 'hour_cos_1', 'hour_sin_2', 'hour_cos_2'],
  weekday: WEEKDAYS,
  holidays: ['holiday', 'holiday_eve', 'holiday_morrow', 'holiday_near'],
  horizon: ['horizon', 'horizon_near', 'horizon_day', 'horizon_first_day'],
  climatologies: [
    ...MEDIAN_INPUTS.map((name) => `median_${name}` as const),
    'week_hour_median',
    'a10',
    'a90',
    'p10',
    'p90',
    'hour_level',
  ],
  same_hour: ['same_hour_p10', 'same_hour_p50', 'same_hour_p90', 'same_hour_mean', 'same_hour_count'],
  level: ['log_scale', 'log_level'],
  recent: [
    'recent_24h',
    'recent_72h',
    'recent_168h',
    'recent_2h_faded',
    'recent_6h_faded',
    'recent_24h_faded',
    'latest_faded',
    'hour_recent',
  ],
  last_weeks: ['near_yesterday', 'near_last_week', 'near_three_weeks', 'week_deviation'],
}

/** Whether each input is used when some groups are left out; in the order of FEATURES. */
export function usedFeatures(leave_out: readonly InputGroup[]): boolean[] {
  const excluded = new Set<string>(leave_out.flatMap((group) => INPUTS_OF_GROUP[group]))
  return FEATURES.map((name) => !excluded.has(name))
}

/** Inputs of some forecast hours, and the quantiles that the model corrects. */
export interface FeatureRows {
  rows: number
  /** rows × FEATURES.length values, row by row. */
  x: Float32Array
  /** What the model corrects: the centre, and the spread of climatology A around it, in minutes. */
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  /** The rule: the centre, moved by the last week and by this hour of the last three weeks. */
  rule: Float64Array
  /** The baseline: same-hour quantiles of the trailing 28 days, minutes. */
  same_hour_p10: Float64Array
  same_hour_p50: Float64Array
  same_hour_p90: Float64Array
  /** Minutes per scaled unit. */
  scale: Float64Array
  /** The waits are multiples of this many minutes; 0 where they are not. */
  step: Float64Array
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: Uint8Array
}

/** Columns of FeatureRows in minutes. */
const MINUTE_COLUMNS = [
  'p10',
  'p50',
  'p90',
  'rule',
  'same_hour_p10',
  'same_hour_p50',
  'same_hour_p90',
  'scale',
  'step',
] as const

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
  const column = () => new Float64Array(rows)
  return {
    rows,
    x: new Float32Array(rows * FEATURES.length),
    p10: column(),
    p50: column(),
    p90: column(),
    rule: column(),
    same_hour_p10: column(),
    same_hour_p50: column(),
    same_hour_p90: column(),
    step: column(),
    scale: column(),
    horizon: new Uint8Array(rows),
  }
}

/** Starts of the HORIZON_HOURS hours that are forecast at an instant, beginning with the hour that contains it. */
export function horizonHours(issued_ms: number): Float64Array {
  const start = Math.floor(issued_ms / HOUR_MS) * HOUR_MS
  return Float64Array.from({ length: HORIZON_HOURS }, (_, k) => start + k * HOUR_MS)
}

/** Inputs of all hours of the horizon at an instant of issue; null when no hour was known then. */
export type ForecastRows = (series: PreparedSeries, issued_ms: number) => FeatureRows | null

export const forecastRows: ForecastRows = (series, issued_ms) => {
  const profile = profileAt(series, issued_ms)
  return profile ? featureRows(series, profile, horizonHours(issued_ms)) : null
}

/** The same, computed once for several backtests of the same origins. */
export function cachedForecastRows(): ForecastRows {
  const cached = new Map<PreparedSeries, Map<number, FeatureRows | null>>()
  return (series, issued_ms) => {
    const ofSeries = cached.get(series) ?? new Map<number, FeatureRows | null>()
    cached.set(series, ofSeries)
    const found = ofSeries.get(issued_ms)
    if (found !== undefined) return found
    const rows = forecastRows(series, issued_ms)
    ofSeries.set(issued_ms, rows)
    return rows
  }
}

/** How far the rule follows the last week, and this hour of the last three weeks. */
const RULE_WEEK = 0.5
const RULE_SAME_HOUR = 0.3

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
  const { same_hour, centre, medians, a10, a90 } = profile
  for (let row = 0; row < rows; row++) {
    const hour = clock.hour[row]!
    const weekday = clock.weekday[row]! - 1
    const cell = weekday * 24 + hour
    const horizon = Math.round((valid_ms[row]! - issuedHour) / HOUR_MS)
    const holiday_days = daysToHoliday(series.country, clock.day[row]!)
    const forecastHour = { hour, weekday, cell, dayKind: kinds[row]!, holiday_days, horizon }
    const same_hour_weeks = deviationOfThreeWeeks(profile, horizon)
    inputs.p50[row] = centre[cell]!
    inputs.p10[row] = centre[cell]! - (medians.a[cell]! - a10[cell]!)
    inputs.p90[row] = centre[cell]! + (a90[cell]! - medians.a[cell]!)
    inputs.rule[row] = Math.max(
      0,
      centre[cell]! + RULE_WEEK * profile.week_deviation + RULE_SAME_HOUR * same_hour_weeks,
    )
    inputs.same_hour_p10[row] = same_hour.p10[hour]!
    inputs.same_hour_p50[row] = same_hour.p50[hour]!
    inputs.same_hour_p90[row] = same_hour.p90[hour]!
    inputs.step[row] = profile.step
    inputs.horizon[row] = horizon
    const values = [...calendarFeatures(forecastHour), ...historyFeatures(profile, forecastHour, same_hour_weeks)]
    for (let k = 0; k < width; k++) inputs.x[row * width + k] = clamp(values[k]!, -MAX_INPUT, MAX_INPUT)
  }
  return inputs
}

interface ForecastHour {
  /** Local hour of day, 0–23. */
  hour: number
  /** 0 is Monday. */
  weekday: number
  /** weekday × 24 + hour. */
  cell: number
  dayKind: DayKind
  /** Days to the nearest public holiday; infinite when none is near. */
  holiday_days: number
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: number
}

/** Multiples of the day's frequency whose sine and cosine describe the local hour. */
const DAY_HARMONICS = [1, 2]
/** The kinds of a day that have an input of their own; a plain day is none of them. */
const SPECIAL_DAY_KINDS: DayKind[] = [1, 2, 3]

/** No input leaves this range. */
const MAX_INPUT = 10
/** Nor does one in minutes leave this many scales. */
const MAX_SCALES = 8

function calendarFeatures({ hour, weekday, dayKind, holiday_days, horizon }: ForecastHour): number[] {
  const angle = (2 * Math.PI * hour) / 24
  return [
    ...DAY_HARMONICS.flatMap((k) => [Math.sin(k * angle), Math.cos(k * angle)]),
    ...WEEKDAYS.map((_, day) => (day === weekday ? 1 : 0)),
    ...SPECIAL_DAY_KINDS.map((kind) => (dayKind === kind ? 1 : 0)),
    Math.exp(-holiday_days / 2),
    horizon / HORIZON_HOURS,
    Math.exp(-horizon / 3),
    Math.exp(-horizon / 24),
    Math.min(horizon, 24) / 24,
  ]
}

/** Inputs from the observed past, in scaled units. */
function historyFeatures(profile: Profile, { hour, cell, horizon }: ForecastHour, same_hour_weeks: number): number[] {
  const { scale, medians, same_hour, recent } = profile
  const scaled = (minutes: number) => clamp(minutes / scale, -MAX_SCALES, MAX_SCALES)
  const a50 = medians.a[cell]!
  const [recent2h = 0, recent6h = 0, recent24h = 0, recent72h = 0, recent168h = 0] = recent
  const day = 24 - (horizon % 24)
  const week = WEEK_HOURS - (horizon % WEEK_HOURS)
  return [
    ...MEDIAN_INPUTS.map((name) => scaled(medians[name][cell]! - a50)),
    scaled(same_hour.p10[hour]! - a50),
    scaled(same_hour.p50[hour]! - a50),
    scaled(same_hour.p90[hour]! - a50),
    scaled(same_hour.mean[hour]! - a50),
    scaled(profile.week_hour[cell]! - a50),
    scaled(profile.a10[cell]! - a50),
    scaled(profile.a90[cell]! - a50),
    scaled(profile.p10[cell]! - a50),
    scaled(profile.p90[cell]! - a50),
    scaled(a50 - profile.level),
    same_hour.count[hour]! / 28,
    Math.log(scale),
    Math.log1p(profile.mean_level),
    scaled(recent24h),
    scaled(recent72h),
    scaled(recent168h),
    scaled(recent2h * Math.exp(-horizon / 3)),
    scaled(recent6h * Math.exp(-horizon / 6)),
    scaled(recent24h * Math.exp(-horizon / 24)),
    scaled(profile.latest_deviation * Math.exp(-(profile.latest_age_hours + horizon) / 4)),
    scaled(profile.hour_recent[hour]!),
    scaled(nearDeviation(profile, day - 1)),
    scaled(nearDeviation(profile, week - 1)),
    scaled(same_hour_weeks),
    scaled(profile.week_deviation),
  ]
}

/** Mean deviation around the same hour of the last three weeks. */
function deviationOfThreeWeeks(profile: Profile, horizon: number): number {
  const hoursBefore = WEEK_HOURS - (horizon % WEEK_HOURS) - 1
  const weeks = [0, 1, 2].map((week) => nearDeviation(profile, hoursBefore + week * WEEK_HOURS))
  return weeks.reduce((sum, deviation) => sum + deviation, 0) / weeks.length
}
