import { z } from 'zod'
import { HORIZON_HOURS, WEEK_HOURS } from '../../config/vocabulary.ts'
import { INNOVATION_HALF_LIVES } from '../gaussian-process/log-waits.ts'
import { clamp } from '../statistics/statistics.ts'
import type { HolidayDay } from './holidays.ts'
import { type ClimatologyName, nearDeviation, type Profile, type SameHour } from './profile.ts'

/** Groups of inputs that a run can leave out, to measure what each is worth. */
export const INPUT_GROUPS = [
  'clock',
  'weekday',
  'holidays',
  'horizon',
  'climatologies',
  'same_hour',
  'level',
  'recent',
  'last_weeks',
  'process',
] as const
export const InputGroup = z.enum(INPUT_GROUPS, { error: `must be one of ${INPUT_GROUPS.join(', ')}` })
export type InputGroup = z.infer<typeof InputGroup>

/** A forecast hour, and all that was known when the forecast was issued: what an input is a function of. */
export interface ForecastHour {
  profile: Profile
  /** Local hour of day, 0–23. */
  hour: number
  /** 0 is Monday. */
  weekday: number
  /** weekday × 24 + hour. */
  cell: number
  holiday: HolidayDay
  /** Hours from the hour of issue; 0 is the current hour. */
  horizon: number
  /** Median of the climatology `usual`, which most inputs in minutes are differences to. */
  usual: number
  /** Mean deviation around the same hour of the last three weeks. */
  three_weeks: number
  /** The wait expected by the airport's process for the hour, minutes. */
  expected: number
  /** The effect of the last hours, as of the issue. */
  innovations: readonly number[]
}

/** One input of the model. `scales`: the value is in minutes and is divided by the scale of the profile. */
export interface Input {
  name: string
  group: InputGroup
  unit: '' | '0 or 1' | 'scales'
  /** How the value is made, in the symbols that features.json explains. */
  formula: string
  value: (hour: ForecastHour) => number
}

type Row = readonly [name: string, formula: string, value: Input['value']]

const inputs = (group: InputGroup, unit: Input['unit'], rows: readonly Row[]): Input[] =>
  rows.map(([name, formula, value]) => ({ name, group, unit, formula, value }))

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const angle = (hour: number) => (2 * Math.PI * hour) / 24

/** e^(−hours ahead ÷ hours) of each hour of the horizon. */
const fadeOfHorizon = (hours: number) =>
  Float64Array.from({ length: HORIZON_HOURS }, (_, horizon) => Math.exp(-horizon / hours))
const FADE_3 = fadeOfHorizon(3)
const FADE_6 = fadeOfHorizon(6)
const FADE_24 = fadeOfHorizon(24)

/** Minutes less the usual median of the hour. */
const fromUsual = (name: string, formula: string, minutes: Input['value']): Row => [
  name,
  `${formula} - median_usual`,
  (hour) => minutes(hour) - hour.usual,
]

const median = (name: ClimatologyName): Row =>
  fromUsual(`median_${name}`, `median_${name}`, ({ profile, cell }) => profile.medians[name][cell]!)

const sameHour = (name: Exclude<keyof SameHour, 'count'>): Row =>
  fromUsual(`same_hour_${name}`, `same_hour_${name}`, ({ profile, hour }) => profile.same_hour[name][hour]!)

/** The same hour of the last period of this many hours: how many hours it ended before the hour that ended last. */
const hoursBack = (horizon: number, period: number) => period - (horizon % period) - 1

/**
 * The inputs of the model, in order: writer, groups, training table, features.json and the examples of a model follow from this list.
 * Weights belong to an order: a model of another list is refused by the names in its `card.json`.
 */
export const INPUTS: readonly Input[] = [
  ...inputs('clock', '', [
    ['hour_sin_1', 'sin(2 pi hour / 24)', ({ hour }) => Math.sin(angle(hour))],
    ['hour_cos_1', 'cos(2 pi hour / 24)', ({ hour }) => Math.cos(angle(hour))],
    ['hour_sin_2', 'sin(4 pi hour / 24)', ({ hour }) => Math.sin(2 * angle(hour))],
    ['hour_cos_2', 'cos(4 pi hour / 24)', ({ hour }) => Math.cos(2 * angle(hour))],
  ]),
  ...inputs(
    'weekday',
    '0 or 1',
    WEEKDAYS.map((name, day) => [
      name,
      `local weekday = ${day + 1} (ISO: 1 is Monday)`,
      ({ weekday }) => (weekday === day ? 1 : 0),
    ]),
  ),
  ...inputs('holidays', '0 or 1', [
    ['holiday', 'the local day is a public holiday of the country', ({ holiday }) => (holiday.kind === 1 ? 1 : 0)],
    ['holiday_eve', 'the next local day is one, and this day is none', ({ holiday }) => (holiday.kind === 2 ? 1 : 0)],
    [
      'holiday_morrow',
      'the local day before was one, and this day is none',
      ({ holiday }) => (holiday.kind === 3 ? 1 : 0),
    ],
  ]),
  ...inputs('holidays', '', [
    [
      'holiday_near',
      'exp(-days to the nearest public holiday / 2)',
      ({ holiday }) => Math.exp(-holiday.days_to_holiday / 2),
    ],
  ]),
  ...inputs('horizon', '', [
    ['horizon', `h / ${HORIZON_HOURS}`, ({ horizon }) => horizon / HORIZON_HOURS],
    ['horizon_near', 'exp(-h / 3)', ({ horizon }) => FADE_3[horizon]!],
    ['horizon_day', 'exp(-h / 24)', ({ horizon }) => FADE_24[horizon]!],
    ['horizon_first_day', 'min(h, 24) / 24', ({ horizon }) => Math.min(horizon, 24) / 24],
  ]),
  ...inputs('climatologies', 'scales', [
    median('two_weeks'),
    median('weekday'),
    median('five_days'),
    median('clock_hour'),
    median('shaped_usual'),
    median('shaped_weekday'),
    median('shaped_five_days'),
    median('shaped_two_weeks'),
  ]),
  ...inputs('same_hour', 'scales', [sameHour('p10'), sameHour('p50'), sameHour('p90'), sameHour('mean')]),
  ...inputs('climatologies', 'scales', [
    fromUsual(
      'week_hour_median',
      'median of this hour of the week over the past',
      ({ profile, cell }) => profile.week_hour[cell]!,
    ),
    fromUsual('usual_p10', 'p10 of climatology usual', ({ profile, cell }) => profile.usual_p10[cell]!),
    fromUsual('usual_p90', 'p90 of climatology usual', ({ profile, cell }) => profile.usual_p90[cell]!),
    fromUsual('shaped_p10', 'p10 of climatology shaped_usual', ({ profile, cell }) => profile.shaped_p10[cell]!),
    fromUsual('shaped_p90', 'p90 of climatology shaped_usual', ({ profile, cell }) => profile.shaped_p90[cell]!),
    ['hour_level', 'median_usual - median wait of the last 28 days', ({ profile, usual }) => usual - profile.level],
  ]),
  ...inputs('same_hour', '', [
    [
      'same_hour_count',
      'observations of this local hour in the last 28 days / 28',
      ({ profile, hour }) => profile.same_hour.count[hour]! / 28,
    ],
  ]),
  ...inputs('level', '', [
    ['log_scale', 'ln(scale)', ({ profile }) => Math.log(profile.scale)],
    ['log_level', 'ln(1 + mean wait of the last 28 days)', ({ profile }) => Math.log1p(profile.mean_level)],
  ]),
  ...inputs('recent', 'scales', [
    ['recent_24h', 'recent(24)', ({ profile }) => profile.recent[24]],
    ['recent_72h', 'recent(72)', ({ profile }) => profile.recent[72]],
    ['recent_168h', 'recent(168)', ({ profile }) => profile.recent[168]],
    ['recent_2h_faded', 'recent(2) * exp(-h / 3)', ({ profile, horizon }) => profile.recent[2] * FADE_3[horizon]!],
    ['recent_6h_faded', 'recent(6) * exp(-h / 6)', ({ profile, horizon }) => profile.recent[6] * FADE_6[horizon]!],
    ['recent_24h_faded', 'recent(24) * exp(-h / 24)', ({ profile, horizon }) => profile.recent[24] * FADE_24[horizon]!],
    [
      'latest_faded',
      'deviation of the latest known hour * exp(-(hours since it ended + h) / 4)',
      ({ profile, horizon }) => profile.latest_deviation * Math.exp(-(profile.latest_age_hours + horizon) / 4),
    ],
    [
      'hour_recent',
      'recent(120) of this clock hour, its two neighbours counting 0.6',
      ({ profile, hour }) => profile.hour_recent[hour]!,
    ],
  ]),
  ...inputs('last_weeks', 'scales', [
    [
      'near_yesterday',
      'near(hours_back(h, 24))',
      ({ profile, horizon }) => nearDeviation(profile, hoursBack(horizon, 24)),
    ],
    [
      'near_last_week',
      'near(hours_back(h, 168))',
      ({ profile, horizon }) => nearDeviation(profile, hoursBack(horizon, WEEK_HOURS)),
    ],
    ['near_three_weeks', 'mean of near(hours_back(h, 168) + 168 w), w = 0, 1, 2', ({ three_weeks }) => three_weeks],
    ['week_deviation', 'median deviation of the last seven days', ({ profile }) => profile.week_deviation],
  ]),
  ...inputs('process', 'scales', [fromUsual('expected', 'expected', ({ expected }) => expected)]),
  ...inputs(
    'process',
    '',
    INNOVATION_HALF_LIVES.map(
      (hours, k): Row => [`innovations_${hours}h`, `innovations(${hours})`, ({ innovations }) => innovations[k]!],
    ),
  ),
]

/** The names of the inputs, in order. An artifact's card repeats them. */
export const FEATURES: readonly string[] = INPUTS.map(({ name }) => name)

const MAX_INPUT = 10
/** Inputs in minutes are clamped to ± this many scales. */
export const MAX_SCALES = 8

/** Writes the inputs of a forecast hour from `start` on. */
export function writeInputs(x: Float32Array, start: number, hour: ForecastHour): void {
  const { scale } = hour.profile
  for (let k = 0; k < INPUTS.length; k++) {
    const { unit, value } = INPUTS[k]!
    x[start + k] =
      unit === 'scales'
        ? clamp(value(hour) / scale, -MAX_SCALES, MAX_SCALES)
        : clamp(value(hour), -MAX_INPUT, MAX_INPUT)
  }
}

/** Whether each input is used when some groups are left out; in the order of FEATURES. */
export const usedFeatures = (leave_out: readonly InputGroup[]): boolean[] =>
  INPUTS.map(({ group }) => !leave_out.includes(group))

/** Mean deviation around the same hour of the last three weeks. */
export function deviationOfThreeWeeks(profile: Profile, horizon: number): number {
  let sum = 0
  for (let week = 0; week < 3; week++) sum += nearDeviation(profile, hoursBack(horizon, WEEK_HOURS) + week * WEEK_HOURS)
  return sum / 3
}
