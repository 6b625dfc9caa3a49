import { z } from 'zod'
import { QueueStatus } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** The state of one queue at one moment, by one source. */
export const readings = defineTable({
  name: 'readings',
  about:
    'The state of a queue at one moment, by one source: one row a lane of a checkpoint. Rows never change; they can be parsed again.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    kind: c.kind,
    source: c.source,
    iata: c.iata,
    terminal: c.terminal,
    checkpoint: c.checkpoint,
    lane: c.lane,
    observed_at: c.observed_at,
    observed_at_basis: column(
      z.enum(['source', 'fetch']),
      '`source`: the payload has a time. `fetch`: it has none, or one that stands still while the figure changes, so the fetch time is used.',
    ),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    wait_minutes: c.maybeNumber('Wait in minutes as published; null when the source gives a range, a word or nothing.'),
    wait_minutes_low: c.maybeNumber('Lower bound of a published range; null when there is none.'),
    wait_minutes_high: c.maybeNumber(
      'Upper bound of a published range; null when there is none ("> 20" has no upper bound).',
    ),
    wait_text: c.maybeText('The wait or the opening hours in the words of the source, where it used words.'),
    status: column(QueueStatus, 'open, closed or unknown; a closed queue has no wait.'),
    flags: column(
      z.array(z.string()),
      'Codes of the quality checks that flagged this row. A flagged row is stored, but not used in labels, rollups and the current wait.',
    ),
    capture_id: c.capture_id,
  },
  key: ['kind', 'source', 'iata', 'terminal', 'checkpoint', 'lane', 'observed_at'],
  sort: ['iata', 'terminal', 'checkpoint', 'lane', 'observed_at'],
  age: 'observed_at',
  by_kind: true,
  local: 'observed_at',
})

export type Reading = Row<typeof readings>

/** A reading as a parser returns it; collection adds source, fetch time and capture. */
export type ParsedReading = Omit<Reading, 'source' | 'fetched_at' | 'available_at' | 'flags' | 'capture_id'>
