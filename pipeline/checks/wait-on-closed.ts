import { rowCheck } from './define.ts'

/** A closed queue has no wait. Our collectors see to it; imported rows may not. */
export const waitOnClosed = rowCheck('wait_on_closed', (row) => {
  const wait = row.wait_minutes ?? row.wait_minutes_low ?? row.wait_minutes_high
  if (row.status !== 'closed' || wait === null) return null
  return { message: 'A closed queue comes with a wait.', value: wait }
})
