import type { WaitsContent } from '../read/waits.ts'
import { currentWaits } from '../waits/choice-of-source.ts'
import { latestReadings } from '../waits/queue-wait.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherWaits = defineGathered({
  gather: async ({ warehouse, now }): Promise<WaitsContent> => ({
    queues: currentWaits(await latestReadings(warehouse, now), now),
  }),
})
