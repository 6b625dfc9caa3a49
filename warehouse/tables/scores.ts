import { z } from 'zod'
import { BorderDirection } from '../../config/border-direction.ts'
import { Basis } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** The subject of a score: a queue, the hours ahead, and a tenth of the claimed confidence. */
const subject = {
  kind: c.kind,
  iata: c.iata,
  terminal: c.text('Terminal; empty for the airport as a whole.'),
  direction: column(BorderDirection.nullable(), 'Direction of border queues; null for other queues.'),
  from_hours: c.count(
    'First hour ahead of the bucket: 0 (the hour of the issue), 1 (1 to 5 hours later), 6 (6 to 23) or 24 (24 to 167).',
  ),
  confidence_tenth: column(
    z.int().min(0).max(9).nullable(),
    'Tenth of the claimed probability of being within 5 minutes: 7 is 0.7 to below 0.8, 9 includes 1. Null where none was claimed.',
  ),
}

/** Sums over forecast hours that came true. Every column adds up over any partition of the rows. */
export const SUMS = {
  samples: c.count('Forecast hours, each of one vintage, whose hour was observed.'),
  error_minutes: c.number('Sum of |observed mean − p50|, minutes. Divided by `samples` it is the MAE.'),
  pinball_minutes: c.number('Sum of the pinball loss, each the mean over the quantiles 0.1, 0.5 and 0.9, minutes.'),
  below: c.count('Hours below p10.'),
  above: c.count('Hours above p90.'),
  width_minutes: c.number('Sum of p90 − p10, minutes: the sharpness.'),
  within_5: c.count('Hours within 5 minutes of p50.'),
  claimed: c.count('Hours for which a probability of being within 5 minutes was claimed.'),
  confidence: c.number('Sum of that probability.'),
  brier: c.number('Sum of its squared difference from the outcome (1 within 5 minutes, else 0).'),
  claimed_within_5: c.count('Those of the hours with a claim that were within 5 minutes of p50.'),
  compared: c.count('Hours for which the baseline was known at the issue; the next four columns are of these.'),
  compared_error_minutes: c.number('Sum of |observed mean − p50| of the forecast, minutes.'),
  compared_pinball_minutes: c.number('Sum of the pinball loss of the forecast, minutes.'),
  baseline_error_minutes: c.number('Sum of |observed mean − baseline p50|, minutes.'),
  baseline_pinball_minutes: c.number('Sum of the pinball loss of the baseline, minutes.'),
  contended: c.count('Hours for which the medians of model and rule are known; the next three columns are of these.'),
  model_error_minutes: c.number('Sum of |observed mean − median of the model|, minutes.'),
  model_above_median: c.number(
    'Hours above the median of the model by over half a minute; one within half a minute of it counts half.',
  ),
  rule_error_minutes: c.number('Sum of |observed mean − median of the rule|, minutes.'),
  opposed: c.count(
    'Hours for which the forecasts of persistence and of the trend rule are known; the next three columns are of these.',
  ),
  opposed_error_minutes: c.number('Sum of |observed mean − p50| of the forecast, minutes.'),
  persistence_error_minutes: c.number('Sum of |observed mean − newest wait at the issue|, minutes.'),
  trend_error_minutes: c.number('Sum of |observed mean − forecast of the trend rule|, minutes.'),
}

/** The record: how every vintage that was issued did on the hours that came true. */
export const scores = defineTable({
  name: 'scores',
  about:
    'How the issued forecasts did, by UTC day of the forecast hour, as sums; made again when an hour of the day is corrected. A vintage that is deleted stays in it.',
  owner: 'training',
  retention: 'rollups',
  columns: {
    day: c.instant('Start of the UTC day of the forecast hours.'),
    ...subject,
    basis: column(Basis.extract(['predicted', 'typical']), 'predicted, or typical of airports of its size.'),
    served: c.text('What was published: model, rule, baseline or prior.'),
    ...SUMS,
  },
  key: ['day', 'kind', 'iata', 'terminal', 'direction', 'from_hours', 'confidence_tenth', 'basis', 'served'],
  sort: ['kind', 'iata', 'terminal', 'direction', 'from_hours', 'confidence_tenth', 'basis', 'served'],
  age: 'day',
})

export type ScoreRow = Row<typeof scores>

/** The same sums of the backtest of a model, at airport level. */
export const backtestScores = defineTable({
  name: 'backtest_scores',
  about: 'How what would have been served in the backtest of a model did, as sums by UTC day; airports as a whole.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    trained_at: c.instant('When the model was fitted.'),
    model: c.text('Version of the model; the row of `backtests` has its span.'),
    day: c.instant('Start of the UTC day of the forecast hours.'),
    ...subject,
    ...SUMS,
  },
  key: ['model', 'day', 'kind', 'iata', 'terminal', 'direction', 'from_hours', 'confidence_tenth'],
  sort: ['kind', 'iata', 'model', 'day', 'from_hours', 'confidence_tenth'],
  age: 'trained_at',
})

export type BacktestScoreRow = Row<typeof backtestScores>

/** The hours that were forecast worst, with what else is known about them. */
export const misses = defineTable({
  name: 'misses',
  about:
    'The hours of each UTC day whose wait lay furthest outside the 80 % interval that was forecast 1 to 5 hours before, with what is known about the cause.',
  owner: 'training',
  retention: 'rollups',
  columns: {
    day: c.instant('Start of the UTC day.'),
    kind: c.kind,
    iata: c.iata,
    hour: c.instant('Start of the hour.'),
    issued_at: c.issued_at,
    model: c.text('Version that the forecast names.'),
    p10: c.number('10th percentile, minutes.'),
    p50: c.number('Median, minutes.'),
    p90: c.number('90th percentile, minutes.'),
    wait_minutes: c.number('Observed mean, minutes.'),
    samples: c.count('Readings of the hour.'),
    program: c.maybeText('FAA program or closure in force in the hour, with its reason; null when none is known.'),
    closed_share: c.maybeNumber(
      'Share of the observed periods of the hour in which the queue was closed; null when not observed.',
    ),
    same_side_share: c.maybeNumber(
      'Share of the other observed hours of the UTC day whose wait lay on the same side of the median: near 1 is a level shift. Null with fewer than 8 such hours.',
    ),
  },
  key: ['kind', 'iata', 'hour'],
  sort: ['kind', 'iata', 'hour'],
  age: 'day',
})

export type Miss = Row<typeof misses>
