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
  policy_url: z.string().nullable().describe('The airline’s own page, which overrides everything here.'),
  cabin: CabinBags.omit({ id: true, iata: true, airline: true, region: true, policy_url: true })
    .nullable()
    .describe('Carry-on and personal item; null: not known.'),
  checked: CheckedBags.omit({ iata: true, airline: true, cabin_id: true })
    .nullable()
    .describe('First and second checked bag on the cheapest fares; null: not known, never free.'),
  simulated,
})
type Answer = z.output<typeof output>

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
  answer(input, { snapshot }) {
    const { airline, iata, cabin_id } = findAirline(input.airline)
    const cabin = CABIN_BAGS.rows().find(({ id }) => id === cabin_id)
    const checked = CHECKED_BAGS.rows().find((row) => row.cabin_id === cabin_id)
    return {
      airline,
      iata,
      policy_url: cabin?.policy_url ?? null,
      cabin: cabin ? cabinFacts(cabin) : null,
      checked: checked ? checkedFacts(checked) : null,
      simulated: snapshot.simulated,
    }
  },
})

/** The facts of a cabin bag row without the fields that name the airline. */
function cabinFacts(row: CabinBags): Answer['cabin'] {
  const { id: _id, iata: _iata, airline: _airline, region: _region, policy_url: _url, ...facts } = row
  return facts
}

function checkedFacts(row: CheckedBags): Answer['checked'] {
  const { iata: _iata, airline: _airline, cabin_id: _id, ...facts } = row
  return facts
}

function limitsText(name: string, limits: CabinBags['carry_on']): string {
  if (!limits) return `${name}: not known`
  return `${name}: ${[sizeText(limits.size_cm), weightText(limits.weight_kg)].filter(Boolean).join(', ') || 'limits not stated'}`
}

function sizeText(size_cm: NonNullable<CabinBags['carry_on']>['size_cm']): string {
  if (size_cm === null) return ''
  return Array.isArray(size_cm) ? `${size_cm.join(' × ')} cm` : `${size_cm} cm in sum`
}

const weightText = (weight_kg: number | null) => (weight_kg === null ? '' : `${weight_kg} kg`)

type Fare = CheckedBags['fares'][number]
type Overweight = CheckedBags['overweight'][number]

function bagText(bag: Fare['second_bag']): string {
  if (!bag) return 'not known'
  if (bag.included) return 'included'
  const amount = amountText(bag)
  return amount === null ? 'price not found' : `${amount} ${bag.currency ?? ''}`.trim()
}

/** The price, else the prepaid price and the price at the airport, else the range of prices. */
function amountText({
  price,
  prepaid,
  at_airport,
  price_min,
  price_max,
}: NonNullable<Fare['second_bag']>): string | null {
  if (price !== null) return String(price)
  if (prepaid !== null) return `${prepaid} prepaid${at_airport === null ? '' : `, ${at_airport} at the airport`}`
  if (price_min === null && price_max === null) return null
  return `${price_min ?? '?'} to ${price_max ?? '?'}`
}

/** Whether the cheapest fare includes the cabin bag. */
const FARE_TEXTS = new Map<boolean | null, string>([
  [true, 'costs extra on the cheapest fare'],
  [false, 'included on the cheapest fare'],
  [null, 'not stated whether the cheapest fare includes it: check before you pay'],
])

function cabinText(cabin: Answer['cabin']): string {
  if (!cabin) return 'Cabin bags: not known.'
  const { carry_on, carry_on_costs_extra, personal_item, total_weight_kg } = cabin
  const together = total_weight_kg === null ? '' : `; together at most ${total_weight_kg} kg`
  const date = datedText({ ...cabin, caution: null }) || 'undated'
  return `${limitsText('Carry-on', carry_on)} (${FARE_TEXTS.get(carry_on_costs_extra)}); ${limitsText('personal item', personal_item)}${together} (${date}).`
}

function checkedLines(checked: Answer['checked']): string[] {
  if (!checked) return ['Checked bags: fees not known.']
  const { fares, weight_kg, linear_cm, limits_evidence, overweight } = checked
  const limits = [weight_kg && `${weight_kg} kg`, linear_cm && `${linear_cm} cm (length, width and height added)`]
  const date = limits_evidence ? ` (${datedText(limits_evidence)})` : ''
  return [
    ...fares.map(
      ({ scope, fare, first_bag, second_bag, ...dated }) =>
        `Checked, ${scope}, ${fare}: first ${bagText(first_bag)}, second ${bagText(second_bag)} (${datedText(dated)}).`,
    ),
    weight_kg === null && linear_cm === null
      ? 'Checked bag limits: not known.'
      : `Checked bag limits at the regular price: ${limits.filter(Boolean).join(', ')}${date}.`,
    ...overweight.map(overweightText),
  ]
}

function overweightText({ over_kg, to_kg, over_cm, to_cm, unit, currency, note, ...money }: Overweight): string {
  const band = (from: number | null, to: number | null, measure: string) =>
    from === null && to === null
      ? null
      : `${[from && `over ${from}`, to && `to ${to}`].filter(Boolean).join(' ')} ${measure}`
  const bands =
    [band(over_kg, to_kg, 'kg'), band(over_cm, to_cm, 'cm')].filter(Boolean).join(', ') || 'overweight or oversize'
  const { price, price_min, price_max } = money
  const range =
    price_min === null && price_max === null
      ? 'price not found'
      : `${price_min ?? '?'} to ${price_max ?? '?'} ${currency}`
  const amount = price === null ? range : `${price} ${currency}`
  return `Checked, ${bands}: ${amount}${unit === null ? '' : ` ${unit}`}${note === null ? '' : ` (${note})`} (${datedText(money)}).`
}

function answerText({ airline, iata, policy_url, cabin, checked }: Answer): string {
  const status = checked && checked.status !== 'flying' ? `: ${checked.status}` : ''
  return [
    `${airline}${iata ? ` (${iata})` : ''}${status}. Fees change often: pay only what the airline’s page says${policy_url ? `: ${policy_url}` : ''}.`,
    cabinText(cabin),
    cabin?.caution,
    ...checkedLines(checked),
    ...(checked?.notes ?? []),
    checked ? `How sure we are of the checked bags: ${checked.confidence}.` : null,
  ]
    .filter(Boolean)
    .join('\n')
}

export const getAirlineBaggagePolicyTool = defineTool<Answer>({
  name: 'get_airline_baggage_policy',
  title: 'Carry-on and checked baggage policy of an airline',
  description,
  annotations: READ_ONLY,
  example: { airline: 'DL' },
  query,
  shorten: ['checked.notes', 'checked.overweight', 'checked.fares'],
  text: answerText,
})
