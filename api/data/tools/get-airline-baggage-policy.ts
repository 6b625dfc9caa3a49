import { z } from 'zod'
import { CABIN_BAGS, CabinBags, CHECKED_BAGS, CheckedBags } from '../../../config/reference/bags.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { findAirline } from './find-airline.ts'
import { datedText } from './text.ts'

const output = z.strictObject({
  airline: z.string(),
  iata: z.string().nullable(),
  policy_url: z.string().nullable().describe('The airline’s own page: it wins over everything here.'),
  cabin: CabinBags.omit({ id: true, iata: true, airline: true, region: true, policy_url: true })
    .nullable()
    .describe('Carry-on and personal item; null: not known.'),
  checked: CheckedBags.omit({ iata: true, airline: true, cabin_id: true })
    .nullable()
    .describe('First and second checked bag on the cheapest fares; null: not known, never free.'),
  simulated,
})

const description =
  'Carry-on, personal item and checked bags of an airline: sizes, weights and fees, each with source page and date. Use it before packing. Cabin bags of 172 airlines, checked-bag fees of 36, on the cheapest economy fare. Fees change often: always give the date and the airline’s page. Null is not known, never free or unlimited.'

const query = defineQuery({
  name: 'getAirlineBaggagePolicy',
  summary: 'Carry-on and checked baggage policy of an airline',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    airline: z.string().trim().min(2).max(60).describe('IATA code or name, e.g. "DL" or "Delta".'),
  }),
  output,
  answer({ airline: asked }, { snapshot }) {
    const { airline, iata, cabin_id } = findAirline(asked)
    const cabin = CABIN_BAGS.rows().find(({ id }) => id === cabin_id)
    const checked = CHECKED_BAGS.rows().find((row) => row.cabin_id === cabin_id)
    return {
      airline,
      iata,
      policy_url: cabin?.policy_url ?? null,
      cabin: cabin ? cabinOf(cabin) : null,
      checked: checked ? checkedOf(checked) : null,
      simulated: snapshot.simulated,
    }
  },
})

const cabinOf = ({ id: _id, iata: _iata, airline: _name, region: _region, policy_url: _url, ...cabin }: CabinBags) =>
  cabin
const checkedOf = ({ iata: _iata, airline: _name, cabin_id: _id, ...checked }: CheckedBags) => checked

type Piece = CabinBags['carry_on']

function pieceLine(what: string, piece: Piece): string {
  if (!piece) return `${what}: not known`
  const { size_cm, weight_kg } = piece
  const size = Array.isArray(size_cm) ? `${size_cm.join(' × ')} cm` : size_cm === null ? null : `${size_cm} cm in sum`
  return `${what}: ${[size, weight_kg === null ? null : `${weight_kg} kg`].filter(Boolean).join(', ') || 'limits not stated'}`
}

type Fare = CheckedBags['fares'][number]
function bagWords(bag: Fare['second_bag']): string {
  if (!bag) return 'not known'
  if (bag.included) return 'included'
  const { currency, price, price_min, price_max, prepaid, at_airport } = bag
  const range = price_min === null && price_max === null ? null : `${price_min ?? '?'} to ${price_max ?? '?'}`
  const paid =
    prepaid === null ? null : `${prepaid} prepaid${at_airport === null ? '' : `, ${at_airport} at the airport`}`
  const amount = price === null ? (paid ?? range) : String(price)
  return amount === null ? 'price not found' : `${amount} ${currency ?? ''}`.trim()
}

export const getAirlineBaggagePolicyTool = defineTool<z.output<typeof output>>({
  name: 'get_airline_baggage_policy',
  title: 'Carry-on and checked baggage policy of an airline',
  description,
  annotations: READ_ONLY,
  example: { airline: 'DL' },
  query,
  text: ({ airline, iata, policy_url, cabin, checked }) =>
    [
      `${airline}${iata ? ` (${iata})` : ''}${checked && checked.status !== 'flying' ? `: ${checked.status}` : ''}`,
      cabin
        ? `${pieceLine('Carry-on', cabin.carry_on)}${cabin.carry_on_costs_extra ? ' (costs extra on the cheapest fare)' : ''}; ${pieceLine('personal item', cabin.personal_item)} (${datedText({ ...cabin, caution: null }) || 'undated'}).`
        : 'Cabin bags: not known.',
      ...(checked?.fares.map(
        ({ scope, fare, first_bag, second_bag, ...dated }) =>
          `Checked, ${scope}, ${fare}: first ${bagWords(first_bag)}, second ${bagWords(second_bag)} (${datedText(dated)}).`,
      ) ?? ['Checked bags: fees not known.']),
      cabin?.caution ?? '',
      ...(checked?.notes ?? []),
      policy_url ? `Check with the airline: ${policy_url}` : 'Check with the airline.',
    ]
      .filter(Boolean)
      .join('\n'),
})
