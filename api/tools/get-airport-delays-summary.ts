import { type Delays, getDelays } from '../../answers/questions/get-delays.ts'
import { delaysText } from '../../answers/texts/faa-delays-text.ts'
import { defineTool } from './define.ts'

export const getAirportDelaysSummaryTool = defineTool<Delays>({
  name: 'get_airport_delays_summary',
  title: 'FAA delay status of one airport',
  description:
    'Whether the FAA delays one airport now and what it means for flights, with programs, closures, newest METAR and US weather alerts. For “is JFK delayed?”; for all of the US use get_faa_delays. `supported`: in the US. `unknown` never means no delay. Airlines’ own delays are not known.',
  topics: ['delay', 'delayed'],
  example: { iata: 'JFK' },
  query: getDelays,
  limits: { closures: 3, programs: 3, 'weather_alerts.alerts': 3 },
  text: delaysText,
})
