import { z } from 'zod'
import { LOUNGES, ReferenceLounge } from '../../../config/reference/lounges.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { MapPlaces, mapLines, mapPlaces } from './map-places.ts'
import { countText, datedText } from './text.ts'

const filterText = z.string().trim().min(1).max(60).optional()

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  known: z.boolean().describe('False: no lounge is known here, which does not mean that there is none.'),
  total: z.int().min(0).describe('Known lounges that match, also those beyond the limit; without the map’s.'),
  lounges: z.array(ReferenceLounge.omit({ iata: true })),
  map_lounges: MapPlaces,
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Lounges of an airport by terminal, with access rules (ticket, status, cards, memberships, day pass) and amenities, each with source and date. Use it to find a lounge that a ticket or a card gives access to. Covers 60 large airports in part; OpenStreetMap’s lounges are added everywhere (unchecked, with credit). A lounge that is missing may exist. Guest rules, time limits and fare exclusions are not known: check before you go. Rows before 2023 or without a date say so.'

const query = defineQuery({
  name: 'getLounges',
  summary: 'Lounges by terminal with access rules and amenities',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    iata,
    terminal: filterText.describe('Only lounges whose terminal name contains this.'),
    access: filterText.describe(
      'Only lounges whose access rules contain this, e.g. "Priority Pass", "Amex Platinum", "oneworld".',
    ),
    amenity: filterText.describe('Only lounges known to have this, e.g. "showers".'),
    limit: z.int().min(1).max(50).default(25).describe('Maximum number of lounges.'),
  }),
  output,
  answer({ iata, terminal, access, amenity, limit }, context) {
    const { name } = findAirport(iata, context)
    const { snapshot } = context
    const lounges = LOUNGES.rows().filter((row) => row.iata === iata)
    const matching = lounges.filter(
      (row) =>
        isTerminal(row.terminal ?? '', terminal) &&
        contains(accessRules(row), access) &&
        contains(row.amenities, amenity),
    )
    const map = snapshot.map(iata)
    const filters = [terminal, access, amenity]
    const map_lounges = mapPlaces(
      map,
      (place) => {
        const tags = [place.name ?? '', place.operator ?? '', place.access ?? '']
        return place.kind === 'lounge' && filters.every((filter) => contains(tags, filter))
      },
      limit,
    )
    return {
      airport: iata,
      name,
      known: lounges.length > 0 || (map?.places ?? []).some(({ kind }) => kind === 'lounge'),
      total: matching.length,
      lounges: matching.slice(0, limit).map(({ iata: _iata, ...lounge }) => lounge),
      map_lounges,
      simulated: snapshot.simulated,
    }
  },
})

function accessRules({ access: { ticket, status, cards, programmes, day_pass } }: Answer['lounges'][number]): string[] {
  const rules = [...ticket, ...status, ...cards, ...programmes]
  if (day_pass !== null) rules.push(`day pass ${day_pass}`)
  return rules
}

/** Whether one of the texts contains the filter; true without a filter. */
const contains = (texts: string[], filter: string | undefined) =>
  filter === undefined || texts.some((text) => text.toLowerCase().includes(filter.toLowerCase()))

/** Whether a terminal matches the filter as a traveller writes it: "4", "T4" and "terminal 4" are the same. */
function isTerminal(terminal: string, filter: string | undefined): boolean {
  if (filter === undefined) return true
  const name = filter.toLowerCase().replace(/^t(erminal)? ?(?=\d|\w$)/, '')
  const words = terminal.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return name.length < 3 ? words.includes(name) : contains([terminal], filter)
}

function loungeText(lounge: Answer['lounges'][number]): string {
  const place = [lounge.terminal, lounge.near_gate && `near ${lounge.near_gate}`].filter(Boolean).join(', ')
  const rules = accessRules(lounge)
  const access = rules.length > 0 ? rules.join(', ') : 'access rules not known'
  return `${lounge.lounge}${place === '' ? '' : ` (${place})`}: ${access}; ${datedText(lounge)}`
}

function answerText({ airport, known, total, lounges, map_lounges }: Answer): string {
  if (!known) return `No lounge is known here for ${airport}; that does not mean that there is none.`
  if (total === 0 && map_lounges === null) return `No known lounge at ${airport} matches; others may exist.`
  const count = total === 0 ? 'No lounge' : countText(total, 'lounge')
  const shown = total > lounges.length ? `, the first ${lounges.length} of them` : ''
  const credits = new Set(lounges.flatMap(({ credit }) => (credit ? [`Source: ${credit}.`] : [])))
  return [
    `${count} with facts known at ${airport}${shown}; check before you go:`,
    ...lounges.map(loungeText),
    ...credits,
    ...mapLines(map_lounges),
  ].join('\n')
}

export const getLoungesTool = defineTool<Answer>({
  name: 'get_lounges',
  title: 'Lounges by terminal with access rules and amenities',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK', access: 'Amex Platinum' },
  query,
  shorten: ['map_lounges.places', 'lounges'],
  text: answerText,
})
