import * as c from './columns.ts'
import { defineTable, type Row } from './define.ts'

/** The trained coefficients of an airport's next hours beside those that all airports share. */
export const nowcasts = defineTable({
  name: 'nowcasts',
  about:
    'How far an airport’s newest waits are to be trusted in the next six hours, beside the coefficients that all airports share.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    kind: c.kind,
    iata: c.iata,
    trained_at: c.instant('When it was learned.'),
    learned: c.text(
      'The airport’s own part at 15, 30, 60, 120 and 360 minutes ahead, as JSON: see `forecasting/nowcast/coefficients.ts`.',
    ),
    shared: c.text('Version of the shared coefficients, such as nowcast@2026-11-22.'),
    samples: c.whole(
      'Pairs of an issue and an instant up to two hours ahead that the errors are of: the last two fifths, with an own part learned before them.',
    ),
    mae_minutes: c.maybeNumber('Mean absolute error of the nowcast in these pairs; null without enough of them.'),
    shared_mae_minutes: c.maybeNumber('The same with the shared coefficients alone.'),
    persistence_mae_minutes: c.maybeNumber('The same of the newest wait, kept.'),
    coverage_80: c.maybeNumber('Fraction of these pairs inside p10–p90.'),
  },
  key: ['kind', 'iata', 'trained_at'],
  sort: ['kind', 'iata', 'trained_at'],
  age: 'trained_at',
})

export type OwnNowcastRow = Row<typeof nowcasts>
