import { definePublished } from './define-published.ts'

/** The active sources of an airport, and whether a security wait or closure under an hour old is published for it. */
export interface AirportCoverage {
  live: boolean
  sources: string[]
}

export interface CoverageContent {
  /** Coverage by airport, of those that an active source names. */
  coverage: Record<string, AirportCoverage>
}

export const coverage = definePublished({
  index: ({ coverage: coverageByAirport }: CoverageContent) => ({ coverageByAirport }),
  read: ({ coverageByAirport }: { coverageByAirport: CoverageContent['coverage'] }) => ({
    /** Ids of the active sources of an airport, and whether one of them gave a live reading. */
    coverage: (iata: string): AirportCoverage => coverageByAirport[iata] ?? { live: false, sources: [] },
  }),
})
