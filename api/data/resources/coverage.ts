import type { Fact } from '../../../warehouse/serving/published/facts.ts'
import { coverageSummary } from '../queries/coverage-summary.ts'
import type { Resource } from './define.ts'

/** Queues that someone waits in. Delays and weather are live at thousands of airports: those are counted, not listed. */
const QUEUES: ReadonlySet<Fact> = new Set(['security', 'check_in', 'immigration', 'customs'])

const ABOUT =
  'live: a source tells of it now; modelled: a forecast or the worldwide prior does; unavailable: nothing does. An airport that is not listed has no queue that is observed now, which does not mean that it has no queue.'

export const coverageResource: Resource = {
  uri: 'holdshort://coverage',
  name: 'coverage',
  title: 'Airports whose waits are observed now',
  description:
    'Airports with a live queue, each with its queues and their sources; and of how many airports each fact is live, modelled or unavailable. Read it before promising a live wait.',
  mimeType: 'application/json',
  read({ snapshot, directory }) {
    const airports = directory.all.flatMap(({ iata }) => {
      const live = snapshot.facts(iata).filter(({ fact, state }) => QUEUES.has(fact) && state === 'live')
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
