import { z } from 'zod'
import { pageTerminals, ReferenceTerminal } from '../../config/reference/terminals.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { airlineByCode } from '../search/find-airline.ts'
import { fromMapText } from '../statements/places.ts'
import { datedText, sentenceOf } from '../statements/text.ts'
import { airportTerminals, mapCredit, type NamedTerminal } from './airport-terminals.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { MapPlaces, mapPlaces } from './map-places.ts'
import { iata, no_flights, notice, simulated } from './shared-fields.ts'

export const Terminal = ReferenceTerminal.omit({ iata: true }).extend({
  sources: z.array(z.enum(['facts', 'feed', 'map'])).describe('facts: a dated page; map: not checked.'),
  checkpoint_list: z.string().nullable().describe('With lanes and dates; sources are in `checkpoints`.'),
})

export type Terminal = z.input<typeof Terminal>

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  airline: z.string().nullable(),
  airline_name: z.string().nullable(),
  airline_corrected: z.boolean().describe('Whether its name was read with typing errors: then it is a guess.'),
  airline_change: z
    .string()
    .nullable()
    .describe('What became of the airline that `airline` names; null: it is this one.'),
  known: z.boolean().describe('False: no terminal is known here, which does not mean that there is none.'),
  terminals: z.array(Terminal.strict()).describe('With `airline`: its own.'),
  other_terminals: z.array(z.string()).describe('Not known to be the airline’s.'),
  feed_terminals: z.array(z.string()).describe('Terminals named by the live wait feeds now; without waits.'),
  map_terminals: MapPlaces,
  notice,
  no_flights,
  simulated,
})

export type Terminals = z.output<typeof output>

export const getTerminals = defineQuery({
  name: 'getTerminals',
  input: z.strictObject({
    iata,
    airline: z.string().max(60).optional().describe('Only terminals of this airline: IATA code or name.'),
  }),
  output,
  answer({ iata, airline: airlineQuery }, context) {
    const { name } = findAirport(iata, context)
    const named = airlineQuery === undefined ? null : airlineByCode(airlineQuery)
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
      airline_change: named?.change ?? null,
      known: all.length > 0,
      terminals: matching,
      other_terminals: all.filter((terminal) => !matching.includes(terminal)).map(({ terminal }) => terminal),
      feed_terminals: feedTerminals.filter((terminal) => terminal !== WHOLE_AIRPORT),
      map_terminals: mapPlaces(snapshot.map(iata), ({ kind }) => kind !== 'lounge'),
      // The statements of pages about terminals are real.
      simulated: snapshot.simulated && all.some(({ sources }) => !sources.includes('facts')),
    }
  },
})

/** The facts of a page about a terminal; undefined when only the feed or the map names it. */
export const factsOf = (airport: string, terminal: string) =>
  pageTerminals(airport).find((fact) => fact.terminal === terminal)

/** A terminal with what its page says; a terminal without a page has the feed or the map as its source. */
function terminalOf(named: NamedTerminal, airport: string, snapshot: Snapshot): Terminal {
  const { terminal, sources } = named
  const row = factsOf(airport, terminal)
  if (row) {
    const { iata: _iata, ...facts } = row
    return { ...facts, sources, checkpoint_list: checkpointsText(facts.checkpoints) }
  }
  const { source, observed_at } = snapshot.queue(airport, 'security')
  const isInFeed = sources.includes('feed')
  const mapDate = snapshot.map(airport)?.fetched_at.slice(0, 10) ?? null
  return {
    terminal,
    sources,
    airlines: [],
    checkpoints: [],
    checkpoint_list: null,
    note: null,
    source: isInFeed ? (source ?? 'wait feed') : 'openstreetmap',
    as_of: isInFeed ? (observed_at?.slice(0, 10) ?? null) : mapDate,
    credit: sources.includes('map') ? mapCredit() : null,
    caution: isInFeed ? null : sentenceOf(fromMapText()),
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
