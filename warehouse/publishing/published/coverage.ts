import { definePublished } from './define.ts'
import type { WaitsContent } from './waits.ts'

/** The active sources of an airport, and whether a security wait or closure under an hour old is published for it. */
export interface AirportCoverage {
  live: boolean
  sources: string[]
}

export interface CoverageContent {
  /** By airport: those that an active source names. */
  coverage: Record<string, AirportCoverage>
}

export interface CoverageReader {
  /** Ids of the active sources of an airport, and whether one of them gave a live reading. */
  coverage: (iata: string) => AirportCoverage
}

export const coverage = definePublished({
  async gather({ sources }, { queues }: WaitsContent): Promise<CoverageContent> {
    const live = new Set(
      queues
        .filter(({ kind, wait }) => kind === 'security' && wait.freshness !== 'stale')
        .filter(({ wait }) => wait.average_wait_minutes !== null || wait.status === 'closed')
        .map(({ iata }) => iata),
    )
    const byAirport: Record<string, AirportCoverage> = {}
    for (const source of sources.filter(({ active }) => active)) {
      for (const iata of source.airports) {
        const entry = byAirport[iata] ?? { live: live.has(iata), sources: [] }
        entry.sources.push(source.id)
        byAirport[iata] = entry
      }
    }
    return { coverage: byAirport }
  },
  index: ({ coverage: coverageByAirport }) => ({ coverageByAirport }),
  read: ({ coverageByAirport }: { coverageByAirport: CoverageContent['coverage'] }): CoverageReader => ({
    coverage: (iata) => coverageByAirport[iata] ?? { live: false, sources: [] },
  }),
})
