import type { WaitsContent } from '../read/waits.ts'
import { currentWaits } from '../waits/choice-of-source.ts'
import { latestReadings } from '../waits/queue-wait.ts'
import { sourceFigures } from '../waits/source-figures.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherWaits = defineGathered({
  async gather({ warehouse, now, still }): Promise<WaitsContent> {
    const latest = await latestReadings(warehouse, now, null, still)
    return {
      queues: currentWaits(latest, now),
      source_figures: await sourceFigures(warehouse, latest, now),
    }
  },
})
