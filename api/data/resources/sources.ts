import { statusReport } from '../status/status-report.ts'
import type { Resource } from './define-resource.ts'

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
      generated_at: snapshot.generated_at,
      simulated,
      sources: sources.map(({ source, name, kind, airports, state, newest_observed_at, attribution }) => ({
        source,
        name,
        kind,
        airports,
        state,
        newest_observed_at,
        attribution,
      })),
    })
  },
}
