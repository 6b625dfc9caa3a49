import { type FaaDelays, getFaaDelays } from '../../answers/questions/get-faa-delays.ts'
import { faaDelaysText } from '../../answers/texts/faa-delays-text.ts'
import { defineTool } from './define.ts'

export const getFaaDelaysTool = defineTool<FaaDelays>({
  name: 'get_faa_delays',
  title: 'FAA delays and closures in the US',
  description:
    'FAA ground stops, ground delays, arrival and departure delays, closures and airspace flow programs in force in the US, or of one airport. Without `iata` it lists every airport that has any. `age_seconds`: of the FAA’s feed. Airlines’ own delays are not known. `known: false` or `unknown` never means no delay.',
  topics: ['delay', 'delayed', 'faa'],
  example: { iata: 'JFK' },
  query: getFaaDelays,
  limits: { 'airports.programs': 2, 'airports.closures': 1, flow_programs: 3, airports: 3 },
  pages: { list: 'airports', rows: 25 },
  text: faaDelaysText,
})
