import { z } from 'zod'
import { Basis } from '../../config/domain.ts'
import * as c from './columns.ts'
import { byDate, column, defineTable, type Row } from './define.ts'

const minutes = (meaning: string) => column('DOUBLE', z.number(), meaning)

/** Forecasts of airports with an own history, every vintage kept. (The worldwide prior is fixed and has no vintages.) */
export const forecasts = defineTable({
  name: 'forecasts',
  about:
    'Hourly wait forecasts of airports with an own history; every vintage is kept, so that any of them can be judged.',
  owner: 'training',
  columns: {
    kind: c.kind,
    iata: c.iata,
    terminal: column('VARCHAR', z.string(), 'Terminal; empty for the airport as a whole.'),
    issued_at: c.issued_at,
    valid_at: c.valid_at,
    p10: minutes('10th percentile of the hourly mean wait, minutes.'),
    p50: minutes('Median, minutes.'),
    p90: minutes('90th percentile, minutes.'),
    p_within_5: column(
      'DOUBLE',
      z.number().min(0).max(1),
      'Calibrated probability that the wait is within 5 minutes of p50.',
    ),
    basis: column('VARCHAR', Basis, '`predicted` here.'),
    model: column('VARCHAR', z.string(), 'model:JFK@2026-11-20T04Z or baseline:JFK@….'),
  },
  key: ['kind', 'iata', 'terminal', 'issued_at', 'valid_at'],
  partition: [byDate('issued_at')],
  sort: ['kind', 'iata', 'terminal', 'issued_at', 'valid_at'],
  age: 'issued_at',
})

export type Forecast = Row<typeof forecasts>

/** What each rolling-origin backtest measured: model against baseline, on the same hours. */
export const backtests = defineTable({
  name: 'backtests',
  about:
    'Rolling-origin backtests: what the model and the baseline scored on the same hours, and which of them serves.',
  owner: 'training',
  columns: {
    kind: c.kind,
    iata: c.iata,
    model: column('VARCHAR', z.string(), 'Version of the model, e.g. model:JFK@2026-11-20T04Z.'),
    trained_at: c.instant('When the model was fitted.'),
    cutoff: c.instant('The fit saw nothing available after this.'),
    evaluated_from: c.instant('First origin of the backtest.'),
    evaluated_to: c.instant('Last origin of the backtest.'),
    samples: column('INTEGER', z.int(), 'Forecast hours compared with an observed hour.'),
    mae_minutes: minutes('Mean absolute error of the median, model.'),
    baseline_mae_minutes: minutes('The same of the baseline, on the same hours.'),
    pinball_minutes: minutes('Mean pinball loss over the quantiles 0.1, 0.5, 0.9, model.'),
    baseline_pinball_minutes: minutes('The same of the baseline.'),
    coverage_80: minutes('Fraction of hours inside p10–p90 (0.8 is right), of what serves.'),
    within_5: minutes('Fraction of hours within 5 minutes of the median, of what serves.'),
    served: column(
      'VARCHAR',
      z.enum(['model', 'baseline']),
      'Which of the two answers: the one with the smaller pinball loss.',
    ),
  },
  key: ['kind', 'iata', 'model'],
  partition: [byDate('trained_at')],
  sort: ['kind', 'iata', 'trained_at'],
  age: 'trained_at',
})

export type Backtest = Row<typeof backtests>
