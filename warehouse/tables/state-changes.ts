import * as c from './columns.ts'
import { defineTable } from './define.ts'

/** When sources and facts entered their states, so that `since` survives a restart. */
export const stateChanges = defineTable({
  name: 'state_changes',
  about: 'When each source, and each fact of an airport that has a source, entered a state; one row a change.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    subject: c.text('`source:<id>`, or `fact:<IATA>/<fact>`.'),
    state: c.text('The state that was entered.'),
    since: c.instant('When the subject was first published in this state.'),
    reason: c.maybeText('Reason in one sentence; null when there is none.'),
  },
  key: ['subject', 'since'],
  sort: ['subject', 'since'],
  age: 'since',
})
