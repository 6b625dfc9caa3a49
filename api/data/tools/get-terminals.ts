import { z } from 'zod'
import { airportTerminals, mapCredit, type NamedTerminal } from '../../../answers/questions/airport-terminals.ts'
import { defineQuery } from '../../../answers/questions/define.ts'
import { findAirport } from '../../../answers/questions/find-airport.ts'
import { MapPlaces, mapLines, mapPlaces } from '../../../answers/questions/map-places.ts'
import { iata, notice, simulated } from '../../../answers/questions/shared-fields.ts'
import { airlineByCode } from '../../../answers/search/find-airline.ts'
import { countText, datedText } from '../../../answers/statements/text.ts'
import { quoted } from '../../../config/outside-text.ts'
import { ReferenceTerminal, TERMINALS } from '../../../config/reference/terminals.ts'
import { WHOLE_AIRPORT } from '../../../config/terminal-name.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { defineTool } from './define.ts'

const Terminal = ReferenceTerminal.omit({ iata: true }).extend({
  told_by: z.array(z.enum(['facts', 'feed', 'map'])).describe('facts: a dated page; map: not checked.'),
  checkpoint_list: z.string().nullable().describe('With lanes and dates; sources are in `checkpoints`.'),
})
type Terminal = z.input<typeof Terminal>

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  airline: z.string().nullable(),
  airline_name: z.string().nullable(),
  airline_corrected: z.boolean().describe('Whether its name was read with typing errors: then it is a guess.'),
  known: z.boolean().describe('False: no terminal is known here, which does not mean that there is none.'),
  terminals: z.array(Terminal.strict()).describe('With `airline`: its own.'),
  other_terminals: z.array(z.string()).describe('Not known to be the airline’s.'),
  feed_terminals: z.array(z.string()).describe('Terminals named by the live wait feeds now; without waits.'),
  map_terminals: MapPlaces,
  notice,
  simulated,
})
export type Terminals = z.output<typeof output>
type Answer = Terminals

const query = defineQuery({
  name: 'getTerminals',
  input: z.strictObject({
    iata,
    airline: z
      .string()
      .max(60)
      .optional()
      .describe('Only terminals that this airline is known to use: IATA code, or name.'),
  }),
  output,
  answer({ iata, airline: given }, context) {
    const { name } = findAirport(iata, context)
    const named = given === undefined ? null : airlineByCode(given)
    const airline = named?.code
    const { snapshot } = context
    const all = airportTerminals(iata, snapshot).map((named) => terminalOf(named, iata, snapshot))
    const matching = all.filter(({ airlines }) => airline === undefined || airlines.includes(airline))
    const feedTerminals = snapshot.queue(iata, 'security').terminals.map(({ terminal }) => terminal)
    return {
      airport: iata,
      name,
      airline: airline ?? null,
      airline_name: named?.name ?? null,
      airline_corrected: named?.corrected ?? false,
      known: all.length > 0,
      terminals: matching,
      other_terminals: all.filter((terminal) => !matching.includes(terminal)).map(({ terminal }) => terminal),
      feed_terminals: feedTerminals.filter((terminal) => terminal !== WHOLE_AIRPORT),
      map_terminals: mapPlaces(snapshot.map(iata), ({ kind }) => kind !== 'lounge'),
      // What pages say of terminals is real.
      simulated: snapshot.simulated && all.some(({ told_by }) => !told_by.includes('facts')),
    }
  },
})

/** What a page says of a terminal; undefined when only the feed or the map names it. */
const factsOf = (airport: string, terminal: string) =>
  TERMINALS.where('iata', airport).find((fact) => fact.terminal === terminal)

/** A terminal's name in a text: the words of feeds and of the map are in quotation marks. */
const nameText = (airport: string, terminal: string) => (factsOf(airport, terminal) ? terminal : quoted(terminal))

/** A terminal with what its page says; a terminal without a page has the feed or the map as its source. */
function terminalOf(named: NamedTerminal, airport: string, snapshot: Snapshot): Terminal {
  const { terminal, told_by } = named
  const row = factsOf(airport, terminal)
  if (row) {
    const { iata: _iata, ...facts } = row
    return { ...facts, told_by, checkpoint_list: checkpointsText(facts.checkpoints) }
  }
  const { source, observed_at } = snapshot.queue(airport, 'security')
  const isInFeed = told_by.includes('feed')
  const mapDate = snapshot.map(airport)?.fetched_at.slice(0, 10) ?? null
  return {
    terminal,
    told_by,
    airlines: [],
    checkpoints: [],
    checkpoint_list: null,
    note: null,
    source: isInFeed ? (source ?? 'wait feed') : 'openstreetmap',
    as_of: isInFeed ? (observed_at?.slice(0, 10) ?? null) : mapDate,
    credit: told_by.includes('map') ? mapCredit() : null,
    caution: isInFeed ? null : 'From the map, not checked.',
  }
}

/** Checkpoints with their lanes, grouped by their date: most come from another page than the terminal. Null without any. */
function checkpointsText(checkpoints: Terminal['checkpoints']): string | null {
  if (checkpoints.length === 0) return null
  const dates = [...new Set(checkpoints.map(datedText))]
  const groups = dates.map((date) => {
    const names = checkpoints.filter((checkpoint) => datedText(checkpoint) === date).map(checkpointText)
    return `${names.join(', ')} (${date})`
  })
  return groups.join(', ')
}

function checkpointText({ checkpoint, lanes, hours }: Terminal['checkpoints'][number]): string {
  const details = [...lanes, hours && `hours ${hours}`].filter(Boolean)
  return details.length === 0 ? checkpoint : `${checkpoint} [${details.join(', ')}]`
}

function terminalText(airport: string, row: Terminal): string {
  const { airlines, note, told_by, checkpoint_list } = row
  const terminal = nameText(airport, row.terminal)
  const usedBy = airlines.length > 0 ? `${airlines.join(', ')} and others` : 'airlines not known'
  if (!told_by.includes('facts')) {
    const namedBy = told_by.includes('feed') ? 'named by the wait feed' : 'from the map, not checked'
    return `${terminal}: ${usedBy} (${namedBy})`
  }
  const checkpoints = checkpoint_list === null ? 'checkpoints not known' : `checkpoints ${checkpoint_list}`
  return `${terminal}: ${usedBy} (${datedText(row)})${note === null ? '' : `; ${note}`}; ${checkpoints}`
}

/** Where to go, or that it is not known where. */
function adviceText({ airport, airline, airline_name, airline_corrected, terminals, other_terminals }: Answer): string {
  const names = (list: readonly string[]) => list.map((terminal) => nameText(airport, terminal)).join(', ')
  const own = names(terminals.map(({ terminal }) => terminal))
  if (airline === null)
    return `${airport}: ${countText(terminals.length, 'terminal')} known, possibly not all: ${own}. Yours is on the boarding pass.`
  const called = airline_name === null ? airline : `${airline_name} (${airline})`
  const guess = airline_corrected ? `If ${airline_name} was meant: ` : ''
  if (terminals.length === 0)
    return `${guess}${airport}: which terminal ${called} uses is not known here: ask the airline, or read the boarding pass. Terminals known: ${names(other_terminals)}.`
  return `${guess}${airport}: ${called} is known to use ${own}. Check the boarding pass, for an airline may use several.`
}

function answerText({ terminals, map_terminals }: Answer, whole: Answer): string {
  const { airport, known, feed_terminals } = whole
  if (!known) return `Nothing is known here about the terminals of ${airport}.`
  const feedLines =
    feed_terminals.length > 0 ? [`The wait feeds name now: ${feed_terminals.map(quoted).join(', ')}.`] : []
  const credits = new Set(terminals.flatMap(({ credit }) => (credit ? [`Source: ${credit}.`] : [])))
  return [
    adviceText(whole),
    ...terminals.map((terminal) => terminalText(airport, terminal)),
    ...credits,
    'Not live: if the airline, the airport or the boarding pass says otherwise, follow them.',
    ...feedLines,
    // Its terminals are in the list above.
    ...mapLines(checkpointsOf(map_terminals), checkpointsOf(whole.map_terminals)),
  ].join('\n')
}

/** The places of a map without its terminals. */
const checkpointsOf = (map: Answer['map_terminals']) =>
  map && { ...map, places: map.places.filter(({ kind }) => kind === 'checkpoint') }

export const getTerminalsTool = defineTool<Answer>({
  name: 'get_terminals',
  title: 'Terminals, their airlines and checkpoints',
  description:
    'Terminals of an airport: main airlines, security checkpoints and lanes, each with source and date. Use it to find where an airline checks in. Merges dated pages of 60 large airports, wait feeds and OpenStreetMap (unchecked, with credit). Never complete. For waits use get_security_wait_estimate. The boarding pass overrides it.',
  example: { iata: 'JFK' },
  query,
  limits: { 'map_terminals.places': 4, 'terminals.checkpoints': 3, terminals: 5 },
  text: answerText,
})
