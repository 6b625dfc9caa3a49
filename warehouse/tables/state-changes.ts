import { z } from 'zod'
import * as c from './columns.ts'
import { byMonth, column, defineTable, type Row } from './define.ts'

/** When sources and facts came into their states, so that `since` outlives a restart. */
export const stateChanges = defineTable({
  name: 'state_changes',
  about:
    'When each source, and each fact of an airport that has a source, came into a state; a row only when it changes.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    subject: column('VARCHAR', z.string(), '`source:<id>`, or `fact:<IATA>/<fact>`.'),
    state: column('VARCHAR', z.string(), 'The state it came into.'),
    since: c.instant('When it was first seen in it.'),
    reason: column('VARCHAR', z.string().nullable(), 'Why, in one sentence; null where there is nothing to explain.'),
  },
  key: ['subject', 'since'],
  partition: [byMonth('since')],
  sort: ['subject', 'since'],
  age: 'since',
})

export type StateChange = Row<typeof stateChanges>
