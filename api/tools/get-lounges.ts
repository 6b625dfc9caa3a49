import { getLounges, type Lounges } from '../../answers/questions/get-lounges.ts'
import { loungesText } from '../../answers/texts/lounges-text.ts'
import { defineTool } from './define.ts'

export const getLoungesTool = defineTool<Lounges>({
  name: 'get_lounges',
  title: 'Lounges by terminal with access rules and amenities',
  description:
    'Lounges of an airport by terminal: hours, access rules (ticket, status, cards, memberships, day pass), amenities, each with source and date. Use it to find one that a ticket or card opens. 60 large airports in part; OpenStreetMap’s are added (unchecked, with credit). A missing lounge may exist.',
  topics: ['lounge'],
  example: { iata: 'JFK', access: 'Amex Platinum' },
  query: getLounges,
  limits: { 'map_lounges.places': 1, matches: 6, lounges: 3 },
  text: loungesText,
})
