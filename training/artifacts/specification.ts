import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import { INPUTS, MAX_SCALES } from '../../forecasting/features/inputs.ts'
import { CLIMATOLOGIES } from '../../forecasting/features/profile.ts'
import { WAIT_KERNEL } from '../../forecasting/gaussian-process/log-waits.ts'
import { MEDIAN_PART } from '../forecasters/model.ts'
import type { ArtifactCard } from './artifact-card.ts'

const SYMBOLS: Record<string, string> = {
  h: 'Hours from the hour of issue to the hour that is forecast; 0 is the current hour.',
  hour: 'Local hour of the forecast hour at the airport, 0 to 23.',
  wait: 'Mean wait of an observed hour in minutes. Only hours that had ended and were available at the issue count, at most 182 days old.',
  climatology:
    'Weighted quantiles of past waits for an hour of the week. An observation weighs exp(-(hours apart on the clock / hours)^2 / 2) * exp(-age in days / days), times same_kind for another weekday of the same kind (working day, weekend) and other_kind for one of the other kind; the numbers stand in `climatologies`. Those with of_shape are of the waits less the median of their clock hour.',
  median_usual:
    'Median of climatology usual at the local weekday and hour of the forecast hour; median_two_weeks, … likewise.',
  same_hour_p10:
    'Quantile of the waits of the same local hour in the last 28 days, with its neighbours while there are under five observations; p50, p90, mean likewise.',
  deviation: 'wait - median_usual of its own weekday and hour, between -6 and 6 scales.',
  scale: 'max(0.4, 1.25 * mean absolute deviation of the last 28 days) minutes.',
  'recent(n)': 'Mean deviation, weighted by 0.5^(age in hours / n), with one more observation of 0.',
  'near(b)':
    'Mean deviation b hours before the newest ended hour, its neighbours counting 0.6, with half an observation of 0.',
  hours_back: 'hours_back(h, period) = period - (h mod period) - 1',
  expected:
    'max(0, exp(m + d * f) - 2), where f is the mean of a Gaussian process for the forecast hour, of the values (ln(wait + 2) - m) / d; m and d are the median and the deviation of the first 100 of them. Its covariance is the sum of `process.components`: variance * exp(-(hours apart on the clock / clock_hours)^2 / 2) * exp(-hours between / decay_hours; null: it never decays), only among hours of the same days (all, kind: working day or weekend, weekday); `process.noise` is the variance of each value for itself. In order of time each standardised innovation is cut to -1.75 and 1.56 times a typical one, which follows their size.',
  'innovations(n)':
    'Mean of the innovations of the process after they were cut, weighted by 0.5^(age in hours / n), with one more of 0.',
  near_share:
    'Share of the past waits within 5 minutes of the rule, by the weights of climatology two_weeks at the local hour, with one more wait of weight 1 of which 0.9 is within.',
}

/** How the output of the net becomes a forecast. Each step names what the next one uses. */
const DECODING = [
  'x[k] = inputs[k].used ? (value[k] - inputs[k].mean) / inputs[k].std : 0, in the order of `inputs`.',
  'net[0..2] = the three outputs of the net for x, in scales.',
  'low = max(0.15, (p50 - p10) / scale), high = max(0.15, (p90 - p50) / scale), where p10, p50, p90 are the rule, which the model corrects: `expected` and the spread of climatology usual around it, in minutes.',
  'q = sort(net[0] - low, net[1], net[2] + high); quantiles of the net = max(0, p50 + scale * q), in minutes.',
  `rule = (max(0, p10), p50, p90); model = s * net + (1 - s) * rule, quantile by quantile, with s = net_share for p10 and p90 and s = ${MEDIAN_PART} * net_share for p50.`,
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
  const normalisation = new Map(features.map((feature) => [feature.name, feature]))
  return {
    format: 3 as const,
    about:
      'A net corrects what a Gaussian process expects of the airport. Inputs and outputs are in units of the airport’s own spread (scales), so that airports share one net but for the biases of its first layer.',
    symbols: SYMBOLS,
    climatologies: CLIMATOLOGIES,
    process: { components: WAIT_KERNEL.components, noise: WAIT_KERNEL.noise },
    inputs: INPUTS.map(({ name, unit, formula }) => {
      const { mean, std, used = true } = normalisation.get(name)!
      const clipped = unit === 'scales' ? `clip((${formula}) / scale, -${MAX_SCALES}, ${MAX_SCALES})` : formula
      return { name, unit, formula: clipped, mean, std, used }
    }),
    decoding: DECODING,
    calibration: CALIBRATION,
  }
}
