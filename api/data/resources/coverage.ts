import type { Fact } from '../../../warehouse/publishing/read/fact-coverage.ts'
import { coverageSummary, prepareCoverage } from '../queries/get-coverage.ts'
import type { Resource } from './define-resource.ts'

/** The facts that are waits. Delays and weather are live at thousands of airports, so they are only counted. */
const WAIT_FACTS: ReadonlySet<Fact> = new Set(['security', 'check_in', 'immigration', 'customs'])

const ABOUT =
  'live: a source reports it now; modelled: it comes from a forecast or the worldwide prior; unavailable: neither. An airport that is not listed has no queue that is observed now, which does not mean that it has no queue.'

export const coverageResource: Resource = {
  uri: 'holdshort://coverage',
  name: 'coverage',
  title: 'Airports whose waits are observed now',
  description:
    'Airports with a live queue, each with its queues and their sources, and the number of airports at which each fact is live, modelled or unavailable. Read it before you promise a live wait.',
  mimeType: 'application/json',
  prepare: prepareCoverage,
  read({ snapshot, directory }) {
    const airports = directory.all.flatMap(({ iata }) => {
      const live = snapshot.facts(iata).filter(({ fact, state }) => WAIT_FACTS.has(fact) && state === 'live')
      if (live.length === 0) return []
      const sources = [...new Set(live.flatMap(({ sources }) => sources))]
      return [{ airport: iata, live: live.map(({ fact }) => fact), sources }]
    })
    const { generated_at, simulated } = snapshot
    return JSON.stringify({
      generated_at,
      simulated,
      about: ABOUT,
      ...coverageSummary(snapshot, directory),
      live: airports,
    })
  },
}
