import type { Directory } from '../../../config/airports/directory.ts'
import { FACTS, type Fact, type FactCoverage } from '../../../warehouse/serving/published/facts.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/** Airports of the directory, and for each fact how many have it in each state. */
export interface CoverageSummary {
  airports: number
  facts: Record<Fact, Record<FactCoverage['state'], number>>
}

/** Counting takes every airport: once a snapshot, not once a request. */
const summaries = new WeakMap<Snapshot, CoverageSummary>()

/** What the snapshot says of the facts of all airports, counted. */
export function coverageSummary(snapshot: Snapshot, directory: Directory): CoverageSummary {
  const known = summaries.get(snapshot)
  if (known) return known
  const none = () => ({ live: 0, modelled: 0, unavailable: 0 })
  const facts = Object.fromEntries(FACTS.map((fact) => [fact, none()])) as CoverageSummary['facts']
  for (const { iata } of directory.all) for (const { fact, state } of snapshot.facts(iata)) facts[fact][state]++
  const summary = { airports: directory.all.length, facts }
  summaries.set(snapshot, summary)
  return summary
}
