import { rowCheck } from './define-check.ts'

/** Flags a wait of a closed queue. Our collectors never return one; imported rows may have one. */
export const waitOnClosed = rowCheck('wait_on_closed', (row) => {
  const wait = row.wait_minutes ?? row.wait_minutes_low ?? row.wait_minutes_high
  if (row.status !== 'closed' || wait === null) return null
  return { message: 'A closed queue has a wait.', value: wait }
})
