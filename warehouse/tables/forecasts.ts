import { z } from 'zod'
import { BorderDirection } from '../../config/border-direction.ts'
import { Basis } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

const compared = (meaning: string) => column(z.number().nullable().optional(), meaning)

/** Forecasts of airports with an own history; every vintage is stored. The worldwide prior without own readings is fixed and has no vintages. */
export const forecasts = defineTable({
  name: 'forecasts',
  about:
    'Hourly wait forecasts of airports with an own history; every vintage is stored, so that any of them can be evaluated.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    terminal: c.text('Terminal; empty for the airport as a whole.'),
    direction: column(
      BorderDirection.nullable(),
      'Direction of border queues (entry, exit, unknown); null for other queues.',
    ),
    issued_at: c.issued_at,
    valid_at: c.valid_at,
    p10: c.number('10th percentile of the hourly mean wait, minutes.'),
    p50: c.number('Median, minutes.'),
    p90: c.number('90th percentile, minutes.'),
    p_within_5: column(
      z.number().min(0).max(1).nullable(),
      'Calibrated probability that the wait is within 5 minutes of p50; null for a border forecast without a backtest.',
    ),
    samples: column(
      z.int().min(1).nullable(),
      'Observed hours that a border forecast or an adapted prior is taken from; null for trained models.',
    ),
    baseline_p10: compared('10th percentile of the baseline, calibrated, minutes; see `baseline_p50`.'),
    baseline_p50: compared(
      'Median of the baseline as known at the issue: the same local hour in the 28 days before, minutes. The record compares with it. Null where there is none.',
    ),
    baseline_p90: compared('90th percentile of the baseline, calibrated, minutes.'),
    model_p50: compared(
      'Median of the model, minutes, whichever contender is published; null where there is no model.',
    ),
    rule_p50: compared('Median of the rule, minutes, whichever contender is published; null where there is none.'),
    persistence_p50: compared(
      'Forecast of persistence, minutes: the newest hourly mean known at the issue. Null where no hour of 21 days was known.',
    ),
    trend_p50: compared(
      'Forecast of the trend rule, minutes: the mean of the hour of the week in the 21 days before the issue, and up to 150 minutes ahead, the less the further, the newest hourly mean with the slope of the last three hours. Null as above.',
    ),
    basis: column(
      Basis,
      '`predicted`; `typical`: the worldwide prior that own readings adapt, until its record shows that it is better than the prior.',
    ),
    model: c.text(
      'model:JFK@2026-11-20T04Z-3fa9c1d2, rule:JFK@…, baseline:JFK@…, adapted:JFK@2026-11-20 or, for border queues, baseline:ZRH/entry@….',
    ),
  },
  key: ['kind', 'iata', 'terminal', 'direction', 'issued_at', 'valid_at'],
  sort: ['kind', 'iata', 'terminal', 'direction', 'issued_at', 'valid_at'],
  age: 'issued_at',
  local: 'valid_at',
})

export type Forecast = Row<typeof forecasts>

/** Results of rolling-origin backtests: model against baseline, on the same hours. Border queues have a baseline only. */
export const backtests = defineTable({
  name: 'backtests',
  about:
    'Rolling-origin backtests: the scores of the model, the rule, the baseline and what was served on the same hours, and which of them serves.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    model: c.text(
      'Version of the model, e.g. model:JFK@2026-11-20T04Z-3fa9c1d2; for border queues baseline:ZRH/entry@….',
    ),
    trained_at: c.instant('When the model was fitted, or promoted after an experiment.'),
    cutoff: c.instant('The fit saw nothing available after this.'),
    evaluated_from: c.instant('First origin of the backtest.'),
    evaluated_to: c.instant('Last origin of the backtest.'),
    samples: c.whole('Forecast hours compared with an observed hour.'),
    mae_minutes: c.maybeNumber('Mean absolute error of the median, model; null where only a baseline exists.'),
    baseline_mae_minutes: c.number('Mean absolute error of the median, baseline, on the same hours.'),
    pinball_minutes: c.maybeNumber(
      'Mean pinball loss over the quantiles 0.1, 0.5, 0.9, model; null where only a baseline exists.',
    ),
    baseline_pinball_minutes: c.number('Mean pinball loss over the quantiles 0.1, 0.5, 0.9, baseline.'),
    rule_mae_minutes: c.maybeNumber('Mean absolute error of the median, rule; null where there is none.'),
    rule_pinball_minutes: c.maybeNumber('Mean pinball loss, rule; null where there is none.'),
    served_mae_minutes: c.maybeNumber(
      'Mean absolute error of the median of what would have been served at each origin; null in rows of earlier releases.',
    ),
    served_pinball_minutes: c.maybeNumber(
      'Mean pinball loss of what would have been served at each origin; null in rows of earlier releases.',
    ),
    coverage_80: c.number('Fraction of hours inside p10–p90 (0.8 is right), of what would have been served.'),
    within_5: c.number('Fraction of hours within 5 minutes of the median, of what would have been served.'),
    served: c.text(
      'Which one serves: model, unless rule, baseline or another contender was clearly better in the last weeks; `prior`: the worldwide prior that own readings have adapted, compared with the prior alone.',
    ),
  },
  key: ['kind', 'iata', 'model'],
  sort: ['kind', 'iata', 'trained_at'],
  age: 'trained_at',
})

export type Backtest = Row<typeof backtests>
