import * as c from './columns.ts'
import { defineTable } from './define.ts'

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
    terminal: c.text('Terminal as the source names it; empty for the airport as a whole.'),
    hour: c.instant('Start of the UTC hour.'),
    slots: c.whole('Periods of ten minutes of the hour in which the status was observed.'),
    open_slots: c.whole('Those of them in which a standard lane was open.'),
    first_open_at: c.maybeInstant('The first observation of an open lane in the hour; null when it was closed.'),
    last_closed_at: c.maybeInstant('The last observation of the hour before that one, at which all lanes were closed.'),
    source: c.text('Sources that were used, joined by `+`.'),
  },
  key: ['kind', 'iata', 'terminal', 'hour'],
  sort: ['iata', 'terminal', 'hour'],
  age: 'hour',
  by_kind: true,
  local: 'hour',
})
