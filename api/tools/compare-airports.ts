import { type Comparison, compareAirports } from '../../answers/questions/compare-airports.ts'
import { comparisonText } from '../../answers/texts/comparison-text.ts'
import { comparisonView } from '../views/views.ts'
import { defineTool } from './define.ts'

export const compareAirportsTool = defineTool<Comparison>({
  name: 'compare_airports',
  title: 'Waits and delays of airports side by side',
  description:
    'Two to five airports side by side with a recommendation and its reason: security wait now, FAA delays, flight category and US weather alert, each with source or age. Use it to choose between airports of a city. A ground stop or closure outweighs a queue. A typical wait is no measured one: `comparable` is then false, and no queue is called shorter.',
  topics: ['compare', 'comparison'],
  example: { airports: ['JFK', 'LGA'] },
  query: compareAirports,
  view: comparisonView,
  text: comparisonText,
})
