import { z } from 'zod'
import { LOUNGES, ReferenceLounge } from '../../../config/reference/lounges.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { MapPlaces, mapLines, mapPlaces } from './map-places.ts'
import { countText, datedText } from './text.ts'

const text = z.string().trim().min(1).max(60).optional()

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  known: z.boolean().describe('False: no lounge is known here, which does not mean that there is none.'),
  total: z.int().min(0).describe('Lounges known that match, also those beyond the limit; the map’s are not counted.'),
  lounges: z.array(ReferenceLounge.omit({ iata: true })),
  map_lounges: MapPlaces,
  simulated,
})

const description =
  'Lounges of an airport by terminal, with access rules (ticket, status, cards, memberships, day pass) and amenities, each with source and date. Use it to find one that a ticket or a card opens. Covers 60 large airports, partly; elsewhere, and beside them, what OpenStreetMap has (unchecked, with credit). A lounge that is missing may exist. Guest rules, time limits and fare exclusions are not known: check before you go. Rows before 2023 or without a date say so.'

const query = defineQuery({
  name: 'getLounges',
  summary: 'Lounges by terminal with access rules and amenities',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    iata,
    terminal: text.describe('Only lounges whose terminal has this in its name.'),
    access: text.describe(
      'Only lounges that name this under access, e.g. "Priority Pass", "Amex Platinum", "oneworld".',
    ),
    amenity: text.describe('Only lounges known to have this, e.g. "showers".'),
    limit: z.int().min(1).max(50).default(25).describe('Most lounges to return.'),
  }),
  output,
  answer({ iata, terminal, access, amenity, limit }, context) {
    const { name } = findAirport(iata, context)
    const all = LOUNGES.rows().filter((row) => row.iata === iata)
    const found = all.filter(
      (row) =>
        isTerminal(row.terminal ?? '', terminal) && names(accessWords(row), access) && names(row.amenities, amenity),
    )
    const wanted = [terminal, access, amenity]
    const map_lounges = mapPlaces(
      context.snapshot.map(iata),
      ({ kind, name, operator, access: open }) =>
        kind === 'lounge' && wanted.every((words) => names([name ?? '', operator ?? '', open ?? ''], words)),
      limit,
    )
    const known = all.length > 0 || context.snapshot.map(iata)?.places.some(({ kind }) => kind === 'lounge') === true
    return {
      airport: iata,
      name,
      known,
      total: found.length,
      lounges: found.slice(0, limit).map(({ iata: _iata, ...lounge }) => lounge),
      map_lounges,
      simulated: context.snapshot.simulated,
    }
  },
})

const accessWords = ({ access: { ticket, status, cards, programmes, day_pass } }: ReferenceLounge) => [
  ...ticket,
  ...status,
  ...cards,
  ...programmes,
  ...(day_pass === null ? [] : [`day pass ${day_pass}`]),
]

/** Whether one of the words has the wanted text in it; nothing wanted is had by all. */
const names = (words: string[], wanted: string | undefined) =>
  wanted === undefined || words.some((word) => word.toLowerCase().includes(wanted.toLowerCase()))

/** Whether a terminal is the wanted one, as a traveller writes it: "4", "T4" and "terminal 4" are one. */
function isTerminal(terminal: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const name = wanted.toLowerCase().replace(/^t(erminal)? ?(?=\d|\w$)/, '')
  const words = terminal.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return name.length < 3 ? words.includes(name) : names([terminal], wanted)
}

function accessLine(lounge: ReferenceLounge): string {
  const words = accessWords(lounge)
  return words.length > 0 ? words.join(', ') : 'access rules not known'
}

export const getLoungesTool = defineTool<z.output<typeof output>>({
  name: 'get_lounges',
  title: 'Lounges by terminal with access rules and amenities',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK', access: 'Amex Platinum' },
  query,
  text: ({ airport, known, total, lounges, map_lounges }) => {
    if (!known) return `No lounge is known here for ${airport}; that does not mean that there is none.`
    if (total === 0 && map_lounges === null) return `No lounge known at ${airport} matches; others may exist.`
    return [
      `${total === 0 ? 'No lounge' : countText(total, 'lounge')} with facts known at ${airport}${total > lounges.length ? `, the first ${lounges.length} of them` : ''}; check before you go:`,
      ...lounges.map((lounge) => {
        const place = [lounge.terminal, lounge.near_gate && `near ${lounge.near_gate}`].filter(Boolean).join(', ')
        const where = place === '' ? '' : ` (${place})`
        return `${lounge.lounge}${where}: ${accessLine({ ...lounge, iata: airport })}; ${datedText(lounge)}`
      }),
      ...new Set(lounges.flatMap(({ credit }) => (credit ? [`Source: ${credit}.`] : []))),
      ...mapLines(map_lounges),
    ].join('\n')
  },
})
