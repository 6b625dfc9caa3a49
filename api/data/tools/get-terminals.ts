import { z } from 'zod'
import { ReferenceTerminal, TERMINALS } from '../../../config/reference/terminals.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { MapPlaces, mapLines, mapPlaces } from './map-places.ts'
import { datedText } from './text.ts'

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  known: z.boolean().describe('False: nothing is known of its terminals here, which does not mean that it has none.'),
  terminals: z.array(ReferenceTerminal.omit({ iata: true })),
  feed_terminals: z
    .array(z.string())
    .describe('Terminals as the live wait feeds name them now; no wait is given here.'),
  map_terminals: MapPlaces,
  simulated,
})

type Answer = z.output<typeof output>

const description =
  'Terminals of an airport: main airlines, security checkpoints and lanes, each fact with its source and date. Use it to find where an airline checks in or which checkpoints a terminal has. Covers 60 large airports; elsewhere, and beside them, what OpenStreetMap has (unchecked, with credit). Lists are never complete, hours mostly not known, and rows before 2023 or without a date say so. For waits use get_security_wait_estimate. The airline and the boarding pass win.'

const query = defineQuery({
  name: 'getTerminals',
  summary: 'Terminals, their airlines and checkpoints',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    iata,
    airline: z
      .string()
      .regex(/^[A-Z0-9]{2}$/, 'must be an IATA airline code of two capital letters or digits, like DL')
      .optional()
      .describe('Only terminals known to be used by this airline (IATA code).'),
  }),
  output,
  answer({ iata, airline }, context) {
    const { name } = findAirport(iata, context)
    const { snapshot } = context
    const all = TERMINALS.rows().filter((row) => row.iata === iata)
    const terminals = all.filter(({ airlines }) => airline === undefined || airlines.includes(airline))
    const map_terminals = mapPlaces(snapshot.map(iata), ({ kind }) => kind !== 'lounge')
    const fed = snapshot.queue(iata, 'security').terminals.map(({ terminal }) => terminal)
    return {
      airport: iata,
      name,
      known: all.length > 0 || map_terminals !== null,
      terminals: terminals.map(({ iata: _iata, ...terminal }) => terminal),
      feed_terminals: fed.filter((terminal) => terminal !== ''),
      map_terminals,
      simulated: snapshot.simulated,
    }
  },
})

/** Checkpoints, those of one date together: they mostly come from another page than the terminal. */
function checkpointWords(checkpoints: ReferenceTerminal['checkpoints']): string {
  const dates = [...new Set(checkpoints.map(datedText))]
  const named = dates.map((date) => {
    const names = checkpoints.filter((one) => datedText(one) === date).map(({ checkpoint }) => checkpoint)
    return `${names.join(', ')} (${date})`
  })
  return named.length > 0 ? `checkpoints ${named.join(', ')}` : 'checkpoints not known'
}

function factLine(row: Answer['terminals'][number]): string {
  const { terminal, airlines, checkpoints } = row
  const used = airlines.length > 0 ? `: ${airlines.join(', ')} and others` : ': airlines not known'
  return `${terminal}${used} (${datedText(row)}); ${checkpointWords(checkpoints)}`
}

function factLines({ airport, terminals, map_terminals }: Answer): string[] {
  if (terminals.length > 0)
    return [...terminals.map(factLine), 'Not live: the airline, the airport and the boarding pass win.']
  if (map_terminals !== null)
    return [`No terminal of ${airport} is known here but by the map; ask the airline for yours.`]
  return [`No terminal of ${airport} is known to be used by this airline; ask the airline.`]
}

export const getTerminalsTool = defineTool<Answer>({
  name: 'get_terminals',
  title: 'Terminals, their airlines and checkpoints',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  text: (answer) => {
    const { airport, known, map_terminals, feed_terminals } = answer
    const fed = feed_terminals.length > 0 ? [`The wait feeds name now: ${feed_terminals.join(', ')}.`] : []
    if (!known) return [`Nothing is known here of the terminals of ${airport}.`, ...fed].join('\n')
    return [...factLines(answer), ...fed, ...mapLines(map_terminals)].join('\n')
  },
})
