import type { PeriodicTask } from '../dependencies.ts'
import { handOverReports } from './hand-over.ts'

/** Accepted reports on their way to the warehouse; what was filed while no pipeline ran goes with the next round. */
export const handOverReportsTask: PeriodicTask = {
  name: 'hand-over-reports',
  every_ms: 10_000,
  run: async ({ state, pipelineClient }, now) => {
    if (pipelineClient) await handOverReports(state, pipelineClient, now)
  },
}
