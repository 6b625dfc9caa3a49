import { statusReport } from '../status/status-report.ts'
import type { Resource } from './define.ts'

export const sourcesResource: Resource = {
  uri: 'holdshort://sources',
  name: 'sources',
  title: 'Sources and whom to credit',
  description:
    'Every source by its id, as `source` of a figure names it: what it tells of, how it is doing, when it was last seen, and the credit that its figures are to be shown with.',
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
