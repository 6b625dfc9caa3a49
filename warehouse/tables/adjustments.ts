import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/**
 * The adjustments by a snapshot to the issued forecasts. A vintage of `forecasts` (or the prior), the row here and the process
 * of the named version give the served forecast by the same function.
 */
export const adjustments = defineTable({
  name: 'adjustments',
  about:
    'The newest wait that each snapshot adjusted a forecast to. With the vintage in `forecasts` (or the prior) and the `process` it gives what was served.',
  owner: 'pipeline',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    terminal: c.text('Terminal of the forecast; empty for the airport as a whole.'),
    adjusted_at: c.instant('When the snapshot was published.'),
    model: c.text('Version of the forecast that was adjusted: model:…, baseline:… or prior:….'),
    observed_at: c.observed_at,
    source: c.text('Ids of the sources of the wait, joined by +.'),
    basis: column(z.enum(['measured', 'reported']), 'measured, or reported by travellers.'),
    wait_minutes: c.number('The wait, as it was shown.'),
    expected_p50: c.number('Median that was forecast for the hour of the observation, minutes.'),
    process: c.text('Version of the process by which the wait tells of later ones, such as process@2026-11-26.'),
    hours: column(
      z.string().nullable().optional(),
      'The next hours as they were served by the nowcast, from the hour of `adjusted_at` on: p10, p50, p90 and confidence of each, as JSON. Null where no nowcast was made.',
    ),
  },
  key: ['kind', 'iata', 'terminal', 'adjusted_at'],
  sort: ['kind', 'iata', 'terminal', 'adjusted_at'],
  age: 'adjusted_at',
})

export type AdjustmentRow = Row<typeof adjustments>
