import { HORIZON_BUCKETS, HORIZON_HOURS } from '../../config/domain.ts'
import type { FEATURES } from '../../forecasting/features/features.ts'
import { CLIMATOLOGIES } from '../../forecasting/features/profile.ts'
import type { ArtifactCard } from './artifact-card.ts'

interface Formula {
  unit: string
  formula: string
}

/** An input in minutes is divided by the scale of the airport. */
const scaled = (formula: string): Formula => ({ unit: 'scales', formula: `clip((${formula}) / scale, -8, 8)` })
const plain = (unit: string, formula: string): Formula => ({ unit, formula })
const isDay = (day: number) => plain('0 or 1', `local weekday = ${day} (ISO: 1 is Monday)`)
const median = (name: string) => scaled(`median_${name} - median_a`)
const HOURS_BACK = 'hours_back(h, period) = period - (h mod period) - 1'

/** How each input is made: complete, because every input has an entry. */
const FORMULAS: Record<(typeof FEATURES)[number], Formula> = {
  hour_sin_1: plain('', 'sin(2 pi hour / 24)'),
  hour_cos_1: plain('', 'cos(2 pi hour / 24)'),
  hour_sin_2: plain('', 'sin(4 pi hour / 24)'),
  hour_cos_2: plain('', 'cos(4 pi hour / 24)'),
  monday: isDay(1),
  tuesday: isDay(2),
  wednesday: isDay(3),
  thursday: isDay(4),
  friday: isDay(5),
  saturday: isDay(6),
  sunday: isDay(7),
  holiday: plain('0 or 1', 'the local day is a public holiday of the country'),
  holiday_eve: plain('0 or 1', 'the next local day is one, and this day is none'),
  holiday_morrow: plain('0 or 1', 'the local day before was one, and this day is none'),
  holiday_near: plain('', 'exp(-days to the nearest public holiday / 2)'),
  horizon: plain('', `h / ${HORIZON_HOURS}`),
  horizon_near: plain('', 'exp(-h / 3)'),
  horizon_day: plain('', 'exp(-h / 24)'),
  horizon_first_day: plain('', 'min(h, 24) / 24'),
  median_b: median('b'),
  median_c: median('c'),
  median_d: median('d'),
  median_g: median('g'),
  median_p: median('p'),
  median_r: median('r'),
  median_s: median('s'),
  median_t: median('t'),
  same_hour_p10: scaled('same_hour_p10 - median_a'),
  same_hour_p50: scaled('same_hour_p50 - median_a'),
  same_hour_p90: scaled('same_hour_p90 - median_a'),
  same_hour_mean: scaled('same_hour_mean - median_a'),
  week_hour_median: scaled('median of this hour of the week over the past - median_a'),
  a10: scaled('p10 of climatology a - median_a'),
  a90: scaled('p90 of climatology a - median_a'),
  p10: scaled('p10 of climatology p - median_a'),
  p90: scaled('p90 of climatology p - median_a'),
  hour_level: scaled('median_a - median wait of the last 28 days'),
  same_hour_count: plain('', 'observations of this local hour in the last 28 days / 28'),
  log_scale: plain('', 'ln(scale)'),
  log_level: plain('', 'ln(1 + mean wait of the last 28 days)'),
  recent_24h: scaled('recent(24)'),
  recent_72h: scaled('recent(72)'),
  recent_168h: scaled('recent(168)'),
  recent_2h_faded: scaled('recent(2) * exp(-h / 3)'),
  recent_6h_faded: scaled('recent(6) * exp(-h / 6)'),
  recent_24h_faded: scaled('recent(24) * exp(-h / 24)'),
  latest_faded: scaled('deviation of the latest known hour * exp(-(hours since it ended + h) / 4)'),
  hour_recent: scaled('recent(120) of this clock hour, its two neighbours counting 0.6'),
  near_yesterday: scaled('near(hours_back(h, 24))'),
  near_last_week: scaled('near(hours_back(h, 168))'),
  near_three_weeks: scaled('mean of near(hours_back(h, 168) + 168 w), w = 0, 1, 2'),
  week_deviation: scaled('median deviation of the last seven days'),
}

/** What the formulas speak of. */
const SYMBOLS: Record<string, string> = {
  h: 'Hours from the hour of issue to the hour that is forecast; 0 is the current hour.',
  hour: 'Local hour of the forecast hour at the airport, 0 to 23.',
  wait: 'Mean wait of an observed hour in minutes. Only hours that had ended and were available at the issue count, at most 182 days old.',
  climatology:
    'Weighted quantiles of past waits for an hour of the week. An observation weighs exp(-(hours apart on the clock / hours)^2 / 2) * exp(-age in days / days), times same_kind for another weekday of the same kind (working day, weekend) and other_kind for one of the other kind; the numbers stand in `climatologies`. Those with of_shape are of the waits less the median of their clock hour.',
  median_a: 'Median of climatology a at the local weekday and hour of the forecast hour; median_b, … likewise.',
  same_hour_p10:
    'Quantile of the waits of the same local hour in the last 28 days, with its neighbours while there are under five observations; p50, p90, mean likewise.',
  deviation: 'wait - median_a of its own weekday and hour, between -6 and 6 scales.',
  scale: 'max(0.4, 1.25 * mean absolute deviation of the last 28 days) minutes.',
  'recent(n)': 'Mean deviation, weighted by 0.5^(age in hours / n), with one more observation of 0.',
  'near(b)':
    'Mean deviation b hours before the newest ended hour, its neighbours counting 0.6, with half an observation of 0.',
  hours_back: HOURS_BACK,
  near_share:
    'Share of the past waits within 5 minutes of the rule, by the weights of climatology b at the local hour, with one more wait of weight 1 of which 0.9 is within.',
}

/** How the output of the net becomes a forecast. Each step names what the next one uses. */
const DECODING = [
  'x[k] = inputs[k].used ? (value[k] - inputs[k].mean) / inputs[k].std : 0, in the order of `inputs`.',
  'net[0..2] = the three outputs of the net for x, in scales.',
  'low = max(0.15, (p50 - p10) / scale), high = max(0.15, (p90 - p50) / scale), where p10, p50, p90 are what the model corrects: the centre and the spread of climatology a around it, in minutes.',
  'q = sort(net[0] - low, net[1], net[2] + high); quantiles of the net = max(0, p50 + scale * q), in minutes.',
  'rule = (max(0, rule - (p50 - p10)), rule, rule + (p90 - p50)); model = net_share * net + (1 - net_share) * rule, quantile by quantile.',
  'Where step > 0 the median of model and rule is rounded to a multiple of it: p50 = step * round(p50 / step), p10 = min(p10, p50), p90 = max(p90, p50). The baseline is same_hour_p10, same_hour_p50, same_hour_p90.',
  'What is served of them says `calibration[].served` of card.json, for each terminal (empty: the airport).',
]
const CALIBRATION = [
  `The bucket of h: the last of \`buckets\` whose from_hours is at most h (${HORIZON_BUCKETS.map(([from]) => from).join(', ')}).`,
  'p10 = min(round(max(0, p50 - low_factor * (p50 - p10 + 0.25))), floor(p50)); p90 = max(round(p50 + high_factor * (p90 - p50 + 0.25)), ceil(p50)); halves are rounded up.',
  'p_within_5 = 1 / (1 + exp(-(intercept + log_width * ln(1 + p90 - p10) + near_odds * ln(s / (1 - s))))), between 0.01 and 0.99, with the numbers of `confidence`, p10 and p90 as they were before the calibration, and s = 0.01 + 0.98 near_share.',
]

/** The file features.json of an artifact: everything between an airport's hours and its forecast, in words and formulas. */
export function specificationOf({ features }: Pick<ArtifactCard, 'features'>) {
  return {
    format: 1 as const,
    about:
      'A net corrects climatologies of the airport. Inputs and outputs are in units of the airport’s own spread (scales), so that airports share one net but for the biases of its first layer.',
    symbols: SYMBOLS,
    climatologies: CLIMATOLOGIES,
    // A card of other inputs than this release's is saved by no training, and its inputs would have no formula.
    inputs: features.map(({ name, mean, std, used = true }) => {
      const { unit, formula } = FORMULAS[name as (typeof FEATURES)[number]] ?? plain('', '')
      return { name, unit, formula, mean, std, used }
    }),
    decoding: DECODING,
    calibration: CALIBRATION,
  }
}
