import {
  type BaggageRankings,
  getAirlineBaggageRankings,
} from '../../answers/questions/get-airline-baggage-rankings.ts'
import { baggageRankingsText } from '../../answers/texts/baggage-rankings-text.ts'
import { defineTool } from './define.ts'

export const getAirlineBaggageRankingsTool = defineTool<BaggageRankings>({
  name: 'get_airline_baggage_rankings',
  title: 'Airlines ranked by mishandled-bag rate',
  description:
    'US airlines by mishandled-bag rate: use it to choose between them (US DOT: lost, damaged, delayed or pilfered, per 100 bags, domestic flights). Not for rules or fees. Newest complete table: January 2021 to January 2024. Tables of different period or scope are not comparable. Each row has source and date.',
  topics: ['baggage', 'luggage'],
  example: {},
  query: getAirlineBaggageRankings,
  limits: { all_carriers: 0, other_tables: 2, places: 5, ranking: 5 },
  text: baggageRankingsText,
})
