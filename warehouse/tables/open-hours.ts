import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

const count = (meaning: string) => column('INTEGER', z.int(), meaning)
const maybeInstant = (meaning: string) => column('TIMESTAMPTZ', z.string().nullable(), meaning)

/**
 * Whether a queue was open, hour by hour, of an airport and of each terminal. An hour in which no source published either has no
 * row. A queue is open while any of its standard (or unsplit) lanes is.
 */
export const openHours = defineTable({
  name: 'open_hours',
  about:
    'Whether a queue was open, by hour, airport and terminal. An hour in which no source said so has no row. Opening hours are learned from it.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    kind: c.kind,
    iata: c.iata,
    terminal: column('VARCHAR', z.string(), 'Terminal as the source names it; empty for the airport as a whole.'),
    hour: c.instant('Start of the UTC hour.'),
    slots: count('Periods of ten minutes of the hour in which the status was observed.'),
    open_slots: count('Those of them in which a standard lane was open.'),
    first_open_at: maybeInstant('The first observation of an open lane in the hour; null when it was closed.'),
    last_closed_at: maybeInstant('The last observation of the hour before that one, at which all lanes were closed.'),
    source: column('VARCHAR', z.string(), 'Sources that were used, joined by `+`.'),
  },
  key: ['kind', 'iata', 'terminal', 'hour'],
  sort: ['iata', 'terminal', 'hour'],
  age: 'hour',
  by_kind: true,
  local: 'hour',
})

export type OpenHour = Row<typeof openHours>
