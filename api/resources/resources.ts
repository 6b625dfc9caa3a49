import { type Accuracy, getAccuracy } from '../../answers/accuracy/get-accuracy.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { coverageSummary, prepareCoverage } from '../../answers/questions/get-coverage.ts'
import { Instant } from '../../config/answer-schemas.ts'
import type { Fact } from '../../warehouse/publishing/read/fact-coverage.ts'
import { tableDictionary } from '../../warehouse/tables/dictionary.ts'
import { statusReport } from '../status/status-report.ts'

/** One MCP resource: a document that a client may read into its context; it belongs to no particular airport. */
export interface Resource {
  uri: string
  /** Identifier in lower case. */
  name: string
  title: string
  description: string
  mimeType: 'text/markdown' | 'application/json'
  /** Prepares data of a snapshot for `read` when that takes long; it awaits `nextSlice` between its parts. */
  prepare?: (context: Pick<QueryContext, 'snapshot' | 'directory'>) => Promise<void>
  read: (context: Pick<QueryContext, 'snapshot' | 'directory' | 'now'>) => string
}

export const accuracyResource: Resource = {
  uri: 'holdshort://accuracy',
  name: 'accuracy',
  title: 'How good the forecasts were',
  description:
    'The live record of the security forecasts over 30 days by hours ahead, beside backtest and baseline: errors, coverage of the 80 % interval, Brier score, skill with its interval, reliability of `confidence`. Read it before you say how far a forecast can be trusted.',
  mimeType: 'application/json',
  read(context) {
    const { airports, misses: _, ...record } = getAccuracy.run({ days: 30 }, { ...context, tier: 'free' }) as Accuracy
    return JSON.stringify({
      ...record,
      airports: airports.map(({ airport, basis, drift }) => ({ airport, basis, drift })),
      more: 'GET /api/v1/airports/{iata}/accuracy?days=7|30|90 has the figures of one airport.',
    })
  },
}

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
    return JSON.stringify({
      generated_at: Instant.parse(snapshot.generated_at),
      simulated: snapshot.simulated,
      about: ABOUT,
      ...coverageSummary(snapshot, directory),
      live: airports,
    })
  },
}

export const sourcesResource: Resource = {
  uri: 'holdshort://sources',
  name: 'sources',
  title: 'Sources and their credits',
  description:
    'Every source by its id, which figures name in `source`: what it publishes, its state, its newest observation, and the credit to show with its figures.',
  mimeType: 'application/json',
  read({ snapshot, now }) {
    const { sources, simulated } = statusReport(snapshot, now)
    return JSON.stringify({
      generated_at: Instant.parse(snapshot.generated_at),
      simulated,
      sources: sources.map(({ source, name, kind, airports, state, newest_observed_at, attribution }) => ({
        source,
        name,
        kind,
        airports,
        state,
        newest_observed_at: newest_observed_at && Instant.parse(newest_observed_at),
        attribution,
      })),
    })
  },
}

export const tablesResource: Resource = {
  uri: 'holdshort://tables',
  name: 'tables',
  title: 'Table dictionary',
  description:
    'Every table of the warehouse with its key, its folders and the meaning and unit of each column. Read it before writing SQL for `holdshort query` or reading exported files.',
  mimeType: 'text/markdown',
  read: tableDictionary,
}
