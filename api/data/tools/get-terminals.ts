import { z } from 'zod'
import { ReferenceTerminal, TERMINALS } from '../../../config/reference/terminals.ts'
import { WHOLE_AIRPORT } from '../../../config/terminal-name.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { MapPlaces, mapLines, mapPlaces } from './map-places.ts'
import { datedText } from './text.ts'

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  known: z.boolean().describe('False: no terminal is known here, which does not mean that there is none.'),
  terminals: z.array(ReferenceTerminal.omit({ iata: true })),
  feed_terminals: z.array(z.string()).describe('Terminals named by the live wait feeds now; without waits.'),
  map_terminals: MapPlaces,
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Terminals of an airport: main airlines, security checkpoints and lanes, each fact with its source and date. Use it to find where an airline checks in or which checkpoints a terminal has. Covers 60 large airports; OpenStreetMap’s terminals are added everywhere (unchecked, with credit). Lists are never complete, hours are mostly not known, and rows before 2023 or without a date say so. For waits use get_security_wait_estimate. If the airline or the boarding pass says otherwise, follow them.'

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
      .describe('Only terminals that this airline is known to use (IATA code).'),
  }),
  output,
  answer({ iata, airline }, context) {
    const { name } = findAirport(iata, context)
    const { snapshot } = context
    const all = TERMINALS.rows().filter((row) => row.iata === iata)
    const matching = all.filter(({ airlines }) => airline === undefined || airlines.includes(airline))
    const map_terminals = mapPlaces(snapshot.map(iata), ({ kind }) => kind !== 'lounge')
    const feedTerminals = snapshot.queue(iata, 'security').terminals.map(({ terminal }) => terminal)
    return {
      airport: iata,
      name,
      known: all.length > 0 || map_terminals !== null,
      terminals: matching.map(({ iata: _iata, ...terminal }) => terminal),
      feed_terminals: feedTerminals.filter((terminal) => terminal !== WHOLE_AIRPORT),
      map_terminals,
      simulated: snapshot.simulated,
    }
  },
})

/** Checkpoints, grouped by their date: most come from another page than the terminal. */
function checkpointsText(checkpoints: ReferenceTerminal['checkpoints']): string {
  if (checkpoints.length === 0) return 'checkpoints not known'
  const dates = [...new Set(checkpoints.map(datedText))]
  const groups = dates.map((date) => {
    const names = checkpoints.filter((checkpoint) => datedText(checkpoint) === date).map(({ checkpoint }) => checkpoint)
    return `${names.join(', ')} (${date})`
  })
  return `checkpoints ${groups.join(', ')}`
}

function terminalText(row: Answer['terminals'][number]): string {
  const { terminal, airlines, checkpoints } = row
  const usedBy = airlines.length > 0 ? `: ${airlines.join(', ')} and others` : ': airlines not known'
  return `${terminal}${usedBy} (${datedText(row)}); ${checkpointsText(checkpoints)}`
}

function terminalLines({ airport, terminals, map_terminals }: Answer): string[] {
  if (terminals.length > 0)
    return [
      ...terminals.map(terminalText),
      'Not live: if the airline, the airport or the boarding pass says otherwise, follow them.',
    ]
  if (map_terminals !== null) return [`Only the map names terminals of ${airport}; ask the airline for yours.`]
  return [`No terminal of ${airport} is known to be used by this airline; ask the airline.`]
}

function answerText(answer: Answer): string {
  const { airport, known, map_terminals, feed_terminals } = answer
  const feedLines = feed_terminals.length > 0 ? [`The wait feeds name now: ${feed_terminals.join(', ')}.`] : []
  if (!known) return [`Nothing is known here about the terminals of ${airport}.`, ...feedLines].join('\n')
  return [...terminalLines(answer), ...feedLines, ...mapLines(map_terminals)].join('\n')
}

export const getTerminalsTool = defineTool<Answer>({
  name: 'get_terminals',
  title: 'Terminals, their airlines and checkpoints',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  shorten: ['map_terminals.places', 'terminals.checkpoints', 'terminals'],
  text: answerText,
})
