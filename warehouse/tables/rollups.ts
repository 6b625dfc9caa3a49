import { z } from 'zod'
import { Lane, UtcInstant } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** The figures of an hour in `rollups` and `rollup_history`. */
const FIGURES = {
  kind: c.kind,
  level: column(
    z.enum(['airport', 'terminal', 'checkpoint', 'lane']),
    'Level of the row. airport, terminal and checkpoint count standard (or unsplit) lanes only.',
  ),
  iata: c.iata,
  terminal: c.terminal,
  checkpoint: c.checkpoint,
  lane: column(Lane, 'The lane at level lane; `standard` at the levels above.'),
  hour: c.instant('Start of the UTC hour.'),
  available_at: c.instant(
    'Earliest instant at which the whole row could have been known; a cutoff is compared with it.',
  ),
  mean: c.number('Mean wait in minutes.'),
  p50: c.number('Median wait in minutes.'),
  p90: c.number('90th percentile of the wait in minutes.'),
  max: c.number('Largest wait in minutes.'),
  samples: c.whole('Readings with a usable wait in the hour.'),
  flagged: c.whole('Readings that were not used because a check flagged them.'),
  source: c.text('Sources that were used, joined by `+`; `crowd` are travellers.'),
} as const

/**
 * Hourly figures at four levels. An hour without readings has no row. A reading counts by its published minutes, else by
 * the middle of its range, else by its one bound.
 */
export const rollups = defineTable({
  name: 'rollups',
  about:
    'Hourly wait figures per airport, terminal, checkpoint and lane, over open queues. An unobserved hour has no row.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    ...FIGURES,
    known_from: column(
      UtcInstant.nullable().optional(),
      'Since when the row is as it is: `available_at`, or when it was corrected; null, in files of earlier releases, is `available_at`.',
    ),
  },
  key: ['kind', 'level', 'iata', 'terminal', 'checkpoint', 'lane', 'hour'],
  sort: ['level', 'iata', 'terminal', 'checkpoint', 'lane', 'hour'],
  age: 'hour',
  by_kind: true,
  local: 'hour',
})

export type Rollup = Row<typeof rollups>

/**
 * SELECT of the hours as they were known at an instant (SQL): also those that were corrected, or vanished, later. `from` are rows
 * of `rollups`, `history` those of `rollup_history`.
 */
export const rollupsKnownAt = (instant: string, from: string, history: string) => `
  SELECT * EXCLUDE (newest) FROM (
    SELECT *, row_number() OVER (PARTITION BY kind, level, iata, terminal, checkpoint, lane, hour
      ORDER BY coalesce(known_from, available_at) DESC, known_to DESC NULLS FIRST) AS newest
    FROM (SELECT *, NULL::TIMESTAMPTZ AS known_to FROM ${from} UNION ALL BY NAME SELECT * FROM ${history})
    WHERE coalesce(known_from, available_at) <= ${instant}::TIMESTAMPTZ
  ) WHERE newest = 1 AND (known_to IS NULL OR known_to > ${instant}::TIMESTAMPTZ)`

/** The rows that `rollups` had before they were corrected. */
export const rollupHistory = defineTable({
  name: 'rollup_history',
  about:
    'Rows of rollups as they were before a correction, so that one can ask what was known when (`rollups_as_of`). A row that changed within a quarter of an hour was never settled and is not kept.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    ...FIGURES,
    known_from: c.instant('Since when the row was as it is here.'),
    known_to: c.instant('When it was corrected, or when its hour was found to have no usable reading.'),
  },
  key: ['kind', 'level', 'iata', 'terminal', 'checkpoint', 'lane', 'hour', 'known_from'],
  sort: ['level', 'iata', 'terminal', 'checkpoint', 'lane', 'hour', 'known_from'],
  age: 'hour',
  by_kind: true,
  local: 'hour',
})
