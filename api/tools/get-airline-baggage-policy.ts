import { type BaggagePolicy, getAirlineBaggagePolicy } from '../../answers/questions/get-airline-baggage-policy.ts'
import { baggagePolicyText } from '../../answers/texts/baggage-policy-text.ts'
import { defineTool } from './define.ts'

export const getAirlineBaggagePolicyTool = defineTool<BaggagePolicy>({
  name: 'get_airline_baggage_policy',
  title: 'Carry-on and checked baggage policy of an airline',
  description:
    'Carry-on, personal item and checked bags of an airline: use it before a bag is packed or paid for. Sizes, weights and fees, each with source page and date. Cabin bags of 172 airlines, checked-bag fees of 36, on the cheapest economy fare. Fees change often: always give the date and the airline’s page. Null is not known, never free or unlimited.',
  topics: ['bag', 'baggage', 'luggage'],
  example: { airline: 'DL' },
  query: getAirlineBaggagePolicy,
  limits: { 'checked.notes': 2, 'checked.overweight': 2, 'checked.fares': 3 },
  text: baggagePolicyText,
})
