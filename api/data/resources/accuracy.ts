import { accuracyOver } from '../accuracy/get-accuracy.ts'
import type { Resource } from './define-resource.ts'

export const accuracyResource: Resource = {
  uri: 'holdshort://accuracy',
  name: 'accuracy',
  title: 'How good the forecasts were',
  description:
    'The live record of the security forecasts over 30 days by hours ahead, beside backtest and baseline: errors, coverage of the 80 % interval, Brier score, skill with its interval, reliability of `confidence`. Read it before you say how far a forecast can be trusted.',
  mimeType: 'application/json',
  read({ snapshot }) {
    const { airports, misses: _, ...record } = accuracyOver(snapshot, 30)
    return JSON.stringify({
      ...record,
      airports: airports.map(({ airport, basis, drift }) => ({ airport, basis, drift })),
      more: 'GET /api/v1/airports/{iata}/accuracy?days=7|30|90 has the figures of one airport.',
    })
  },
}
