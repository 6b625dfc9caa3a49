import { z } from 'zod'
import { CABIN_BAGS, CabinBags, CHECKED_BAGS, CheckedBags } from '../../config/reference/bags.ts'
import { findAirline } from '../search/find-airline.ts'
import type { datedText } from '../statements/text.ts'
import { defineQuery } from './define.ts'
import { simulated } from './shared-fields.ts'

const output = z.strictObject({
  airline: z.string(),
  iata: z.string().nullable(),
  corrected: z.boolean().describe('Whether `airline` was read with typing errors: then it is a guess.'),
  change: z.string().nullable().describe('What became of the airline that `airline` names; null: it is this one.'),
  fare: z
    .string()
    .nullable()
    .describe(
      'The fare, or thing like skis, that `airline` names and of which nothing is known apart; null: none is named, or it is listed.',
    ),
  policy_url: z.string().nullable().describe('The airline’s own page, which overrides everything here.'),
  cabin: CabinBags.omit({ id: true, iata: true, airline: true, region: true, policy_url: true })
    .nullable()
    .describe('Carry-on and personal item; null: not known.'),
  checked: CheckedBags.omit({ iata: true, airline: true, cabin_id: true })
    .nullable()
    .describe('First and second checked bag on the cheapest fares; null: not known, never free.'),
  simulated,
})

export type BaggagePolicy = z.output<typeof output>

export const getAirlineBaggagePolicy = defineQuery({
  name: 'getAirlineBaggagePolicy',
  input: z.strictObject({
    airline: z.string().trim().min(2).max(60).describe('IATA code or name, e.g. "DL" or "Delta".'),
  }),
  output,
  answer(input) {
    const { airline, iata, cabin_id, corrected, change, fare } = findAirline(input.airline)
    const cabin = CABIN_BAGS.where('id', cabin_id)[0]
    const checked = CHECKED_BAGS.where('cabin_id', cabin_id)[0]
    return {
      airline,
      iata,
      corrected,
      change,
      fare: fare !== null && isListed(fare, checked) ? null : fare,
      policy_url: cabin?.policy_url ?? null,
      cabin: cabin ? cabinFacts(cabin) : null,
      checked: checked ? checkedFacts(checked) : null,
      simulated: false,
    }
  },
})

const isListed = (fare: string, checked: CheckedBags | undefined) =>
  checked?.fares.some((row) => row.fare.toLowerCase().includes(fare)) ?? false

/** The facts of a cabin bag row without the fields that name the airline. */
function cabinFacts(row: CabinBags): BaggagePolicy['cabin'] {
  const { id: _id, iata: _iata, airline: _airline, region: _region, policy_url: _url, ...facts } = row
  return facts
}

function checkedFacts(row: CheckedBags): BaggagePolicy['checked'] {
  const { iata: _iata, airline: _airline, cabin_id: _id, ...facts } = row
  return facts
}

export type Fare = CheckedBags['fares'][number]

export type Overweight = CheckedBags['overweight'][number]

export type Dated = Parameters<typeof datedText>[0]
