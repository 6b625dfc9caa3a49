import { HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { NEAR_MINUTES } from '../quantiles/quantiles.ts'
import { clamp } from '../statistics/statistics.ts'
import { WEEK_HOURS } from './climatology.ts'
import { type HolidayDay, holidayCalendar } from './holidays.ts'
import type { InputGroup } from './input-groups.ts'
import { nearDeviation, type PreparedSeries, type Profile, profileAt } from './profile.ts'

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
  /** Share of the recent waits of this local hour within 5 minutes of the rule, between 0 and 1. */
  near_share: Float64Array
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: Uint8Array
}

/** Columns of FeatureRows beside the inputs and the hours ahead. */
const OWN_COLUMNS = [
  'p10',
  'p50',
  'p90',
  'rule',
  'same_hour_p10',
  'same_hour_p50',
  'same_hour_p90',
  'scale',
  'step',
  'near_share',
] as const

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
  const first = { rows, x: all.x.subarray(0, rows * FEATURES.length), horizon: all.horizon.subarray(0, rows) }
  const columns = OWN_COLUMNS.map((name) => [name, all[name].subarray(0, rows)] as const)
  return Object.assign(first, Object.fromEntries(columns) as Record<(typeof OWN_COLUMNS)[number], Float64Array>)
}

/** Rows to be written, all zero. */
export function emptyRows(rows: number): FeatureRows {
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
    near_share: column(),
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
  const issuedHour = Math.floor(profile.issued_ms / HOUR_MS) * HOUR_MS
  const { same_hour, centre, medians, a10, a90 } = profile
  for (let k = 0; k < valid_ms.length; k++) {
    const row = offset + k
    const hour = clock.hour[k]!
    const weekday = clock.weekday[k]! - 1
    const cell = weekday * 24 + hour
    const horizon = Math.round((valid_ms[k]! - issuedHour) / HOUR_MS)
    const forecastHour = { hour, weekday, cell, holiday: holidayOf(clock.day[k]!), horizon }
    const same_hour_weeks = deviationOfThreeWeeks(profile, horizon)
    inputs.scale[row] = profile.scale
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
    inputs.near_share[row] = nearShare(profile, hour, inputs.rule[row]!)
    inputs.horizon[row] = horizon
    const at = writeCalendarFeatures(inputs.x, row * FEATURES.length, forecastHour)
    writeHistoryFeatures(inputs.x, at, profile, forecastHour, same_hour_weeks)
  }
}

interface ForecastHour {
  /** Local hour of day, 0–23. */
  hour: number
  /** 0 is Monday. */
  weekday: number
  /** weekday × 24 + hour. */
  cell: number
  holiday: HolidayDay
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: number
}

/** One imaginary recent wait, within 5 minutes of the rule with this probability, stands for an hour that was hardly observed. */
const PRIOR_NEAR_SHARE = 0.9

function nearShare(profile: Profile, hour: number, minutes: number): number {
  const { inside, total } = profile.weightWithin(hour, minutes, NEAR_MINUTES)
  return (inside + PRIOR_NEAR_SHARE) / (total + 1)
}

/** Sine and cosine of the local hour at these multiples of the day's frequency, 24 × 4 values. */
const DAY_HARMONICS = Float64Array.from({ length: 24 }, (_, hour) => (2 * Math.PI * hour) / 24).reduce<number[]>(
  (values, angle) => values.concat([1, 2].flatMap((k) => [Math.sin(k * angle), Math.cos(k * angle)])),
  [],
)

/** e^(−hours ahead ÷ hours) of each hour of the horizon. */
const fadeOfHorizon = (hours: number) =>
  Float64Array.from({ length: HORIZON_HOURS }, (_, horizon) => Math.exp(-horizon / hours))
const FADE_3 = fadeOfHorizon(3)
const FADE_6 = fadeOfHorizon(6)
const FADE_24 = fadeOfHorizon(24)

/** No input leaves this range. */
const MAX_INPUT = 10
/** Nor does one in minutes leave this many scales. */
const MAX_SCALES = 8

/** Writes the first inputs of a row; returns where the next one is. */
function writeCalendarFeatures(
  x: Float32Array,
  start: number,
  { hour, weekday, holiday, horizon }: ForecastHour,
): number {
  let at = start
  for (let k = 0; k < 4; k++) x[at++] = DAY_HARMONICS[hour * 4 + k]!
  for (let day = 0; day < 7; day++) x[at++] = day === weekday ? 1 : 0
  for (let kind = 1; kind <= 3; kind++) x[at++] = holiday.kind === kind ? 1 : 0
  x[at++] = Math.exp(-holiday.days_to_holiday / 2)
  x[at++] = horizon / HORIZON_HOURS
  x[at++] = FADE_3[horizon]!
  x[at++] = FADE_24[horizon]!
  x[at++] = Math.min(horizon, 24) / 24
  return at
}

/** Writes the inputs from the observed past, in scaled units. */
function writeHistoryFeatures(
  x: Float32Array,
  start: number,
  profile: Profile,
  { hour, cell, horizon }: ForecastHour,
  same_hour_weeks: number,
): void {
  const { scale, medians, same_hour, recent } = profile
  const a50 = medians.a[cell]!
  let at = start
  const write = (value: number) => {
    x[at++] = clamp(value, -MAX_INPUT, MAX_INPUT)
  }
  const writeScaled = (minutes: number) => {
    x[at++] = clamp(minutes / scale, -MAX_SCALES, MAX_SCALES)
  }
  for (const name of MEDIAN_INPUTS) writeScaled(medians[name][cell]! - a50)
  writeScaled(same_hour.p10[hour]! - a50)
  writeScaled(same_hour.p50[hour]! - a50)
  writeScaled(same_hour.p90[hour]! - a50)
  writeScaled(same_hour.mean[hour]! - a50)
  writeScaled(profile.week_hour[cell]! - a50)
  writeScaled(profile.a10[cell]! - a50)
  writeScaled(profile.a90[cell]! - a50)
  writeScaled(profile.p10[cell]! - a50)
  writeScaled(profile.p90[cell]! - a50)
  writeScaled(a50 - profile.level)
  write(same_hour.count[hour]! / 28)
  write(Math.log(scale))
  write(Math.log1p(profile.mean_level))
  const [recent2h = 0, recent6h = 0, recent24h = 0, recent72h = 0, recent168h = 0] = recent
  writeScaled(recent24h)
  writeScaled(recent72h)
  writeScaled(recent168h)
  writeScaled(recent2h * FADE_3[horizon]!)
  writeScaled(recent6h * FADE_6[horizon]!)
  writeScaled(recent24h * FADE_24[horizon]!)
  writeScaled(profile.latest_deviation * Math.exp(-(profile.latest_age_hours + horizon) / 4))
  writeScaled(profile.hour_recent[hour]!)
  writeScaled(nearDeviation(profile, 24 - (horizon % 24) - 1))
  writeScaled(nearDeviation(profile, WEEK_HOURS - (horizon % WEEK_HOURS) - 1))
  writeScaled(same_hour_weeks)
  writeScaled(profile.week_deviation)
}

/** Mean deviation around the same hour of the last three weeks. */
function deviationOfThreeWeeks(profile: Profile, horizon: number): number {
  const hoursBefore = WEEK_HOURS - (horizon % WEEK_HOURS) - 1
  let sum = 0
  for (let week = 0; week < 3; week++) sum += nearDeviation(profile, hoursBefore + week * WEEK_HOURS)
  return sum / 3
}
