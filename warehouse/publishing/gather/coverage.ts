import type { AirportCoverage, CoverageContent } from '../read/coverage.ts'
import type { WaitsContent } from '../read/waits.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherCoverage = defineGathered({
  async gather({ sources }, { queues }: WaitsContent): Promise<CoverageContent> {
    const live = new Set(
      queues
        .filter(({ kind, wait }) => kind === 'security' && wait.freshness !== 'stale')
        .filter(({ wait }) => wait.average_wait_minutes !== null || wait.status === 'closed')
        .map(({ iata }) => iata),
    )
    const coverage: Record<string, AirportCoverage> = {}
    for (const { id, airports } of sources.filter(({ active }) => active))
      for (const iata of airports) {
        coverage[iata] ??= { live: live.has(iata), sources: [] }
        coverage[iata].sources.push(id)
      }
    return { coverage }
  },
})
