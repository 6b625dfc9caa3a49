import {
  type AirportDelays,
  affectsAirlines,
  type FaaDelays,
  getFaaDelays,
} from '../../answers/questions/get-faa-delays.ts'
import { delayLines, feedText, programText } from '../../answers/statements/delay-text.ts'
import { defineTool } from './define.ts'

const HELD_WHERE_THEY_DEPART =
  'A ground stop or ground delay holds flights to the airport where they depart; departures from it may leave as planned.'

/** Whether a program holds flights to the airport on the ground. */
const holdsArrivals = ({ programs }: AirportDelays) =>
  programs.some(({ type }) => type === 'ground_stop' || type === 'ground_delay')

function answerText({ airports, flow_programs, ...shown }: FaaDelays, whole: FaaDelays): string {
  const { timestamp, summary, ...feed } = shown
  const [only] = whole.airports
  const lines =
    only && whole.airports.length === 1 && only.summary === summary
      ? delayLines(airports[0] ?? only, timestamp, only)
      : [
          summary,
          ...airports.filter(affectsAirlines).map(({ airport, summary: own }) => `${airport}: ${own}`),
          whole.airports.some(holdsArrivals) && HELD_WHERE_THEY_DEPART,
        ]
  const flows = flow_programs.map((program) => `${program.faa_id}: ${programText(program, program.faa_id, timestamp)}`)
  return [...lines, ...flows, feedText(feed)].filter(Boolean).join('\n')
}

export const getFaaDelaysTool = defineTool<FaaDelays>({
  name: 'get_faa_delays',
  title: 'FAA delays and closures in the US',
  description:
    'FAA ground stops, ground delays, arrival and departure delays, closures and airspace flow programs in force in the US, or of one airport. Without `iata` it lists every airport that has any. `age_seconds`: of the FAA’s feed. Airlines’ own delays are not known. `known: false` or `unknown` never means no delay.',
  example: { iata: 'JFK' },
  query: getFaaDelays,
  limits: { 'airports.programs': 2, 'airports.closures': 1, flow_programs: 3, airports: 3 },
  pages: { list: 'airports', rows: 25 },
  text: answerText,
})
