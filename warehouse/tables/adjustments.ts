import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

const minutes = (meaning: string) => column('DOUBLE', z.number(), meaning)

/**
 * What a snapshot added to the issued forecasts. A vintage of `forecasts` (or the prior), the row here and the curves of the
 * named version give the served forecast by the same function.
 */
export const adjustments = defineTable({
  name: 'adjustments',
  about:
    'The newest wait that each snapshot adjusted a forecast to. With the vintage in `forecasts` (or the prior) and the curves of `learned` it gives what was served.',
  owner: 'pipeline',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    terminal: column('VARCHAR', z.string(), 'Terminal of the forecast; empty for the airport as a whole.'),
    adjusted_at: c.instant('When the snapshot was published.'),
    model: column('VARCHAR', z.string(), 'Version of the forecast that was adjusted: model:…, baseline:… or prior:….'),
    observed_at: c.observed_at,
    source: column('VARCHAR', z.string(), 'Ids of the sources of the wait, joined by +.'),
    basis: column('VARCHAR', z.enum(['measured', 'reported']), 'measured, or reported by travellers.'),
    wait_minutes: minutes('The wait, as it was shown.'),
    expected_p10: minutes('10th percentile that was forecast for the hour of the observation, minutes.'),
    expected_p50: minutes('Median that was forecast for the hour of the observation, minutes.'),
    expected_p90: minutes('90th percentile that was forecast for the hour of the observation, minutes.'),
    learned: column('VARCHAR', z.string(), 'Version of the curves, such as assimilation@2026-11-22.'),
    carry: minutes('The airport’s own factor on the carried deviation; 1 where nothing is learned of it.'),
    low_factor: minutes('The airport’s own factor on p50 − p10.'),
    high_factor: minutes('The airport’s own factor on p90 − p50.'),
    hours: column(
      'VARCHAR',
      z.string().nullable().optional(),
      'The next hours as they were served by the nowcast, from the hour of `adjusted_at` on: p10, p50, p90 and confidence of each, as JSON. Null where no nowcast was made.',
    ),
  },
  key: ['kind', 'iata', 'terminal', 'adjusted_at'],
  sort: ['kind', 'iata', 'terminal', 'adjusted_at'],
  age: 'adjusted_at',
})

export type AdjustmentRow = Row<typeof adjustments>

/** What training learned of an airport beside the curves that all share. */
export const adjustmentFactors = defineTable({
  name: 'adjustment_factors',
  about:
    'How far an airport’s forecasts follow a new reading, beside the curves that all airports share; learned with each model.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    model: column(
      'VARCHAR',
      z.string(),
      'Version that the forecasts name: model:JFK@2026-11-20T04Z-3fa9c1d2 or baseline:JFK@….',
    ),
    trained_at: c.instant('When the factors were learned.'),
    carry: minutes(
      'Factor on the part of a reading’s deviation that is carried into the next hours; 1 is that of all airports.',
    ),
    low_factor: minutes('Factor on p50 − p10 of an adjusted hour.'),
    high_factor: minutes('Factor on p90 − p50 of an adjusted hour.'),
    samples: column(
      'INTEGER',
      z.int(),
      'Pairs of a reading and one of the next three hours that the errors are of: the last part of the backtest, with factors learned before it.',
    ),
    mae_minutes: minutes('Mean absolute error of the adjusted median in these hours.'),
    issued_mae_minutes: minutes('Mean absolute error of the issued median in the same hours.'),
    coverage_80: minutes('Fraction of these hours inside the adjusted p10–p90.'),
  },
  key: ['kind', 'iata', 'model'],
  sort: ['kind', 'iata', 'trained_at'],
  age: 'trained_at',
})

export type AdjustmentFactors = Row<typeof adjustmentFactors>
