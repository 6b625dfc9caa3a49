import type { CabinBags } from '../../config/reference/bags.ts'
import type { BaggagePolicy, Dated, Fare, Overweight } from '../questions/get-airline-baggage-policy.ts'
import { datedText, sentenceOf } from '../statements/text.ts'

/** The bags of an airline as a text. */

/** "up to 56 × 35 × 23 cm", or what is known instead of it. */
function limitText(limits: CabinBags['carry_on']): string {
  if (!limits) return 'not known'
  const size = sizeText(limits.size_cm)
  const weight = weightText(limits.weight_kg)
  if (size === '' && weight === '') return 'limits not stated'
  return `up to ${size === '' ? weight : size}`
}

/** The weight, in a sentence of its own after the three sides of the bag. */
const weightSentence = (limits: CabinBags['carry_on']) =>
  limits?.weight_kg == null || limits.size_cm === null ? '' : ` It weighs at most ${limits.weight_kg} kg.`

function sizeText(size_cm: NonNullable<CabinBags['carry_on']>['size_cm']): string {
  if (size_cm === null) return ''
  return Array.isArray(size_cm) ? `${size_cm.join(' × ')} cm` : `${size_cm} cm in sum`
}

const weightText = (weight_kg: number | null) => (weight_kg === null ? '' : `${weight_kg} kg`)

function bagText(bag: Fare['second_bag']): string {
  if (!bag) return 'not known'
  if (bag.included) return 'included'
  const amount = amountText(bag)
  return amount === null ? 'price not known' : `${amount} ${bag.currency ?? ''}`.trim()
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
  return rangeText(price_min, price_max)
}

/** `35 to 80`, `up to 200`, `from 35`; null if neither end is known. */
function rangeText(min: number | null, max: number | null): string | null {
  if (min === null) return max === null ? null : `up to ${max}`
  return max === null ? `from ${min}` : `${min} to ${max}`
}

/** Whether the cheapest fare includes the cabin bag. */
const FARE_TEXTS = new Map<boolean | null, string>([
  [true, 'costs extra on the cheapest fare'],
  [false, 'is included on the cheapest fare'],
  [null, 'it is not stated whether the cheapest fare includes it: check before you pay'],
])

/** A sentence for each bag, as three sides of a bag are three numbers. */
function cabinLines(cabin: BaggagePolicy['cabin']): string[] {
  if (!cabin) return ['Cabin bags: not known.']
  const { carry_on, carry_on_costs_extra, personal_item, total_weight_kg } = cabin
  const together = total_weight_kg === null ? '' : ` Both together weigh at most ${total_weight_kg} kg.`
  return [
    `Carry-on: ${limitText(carry_on)}; ${FARE_TEXTS.get(carry_on_costs_extra)}.${weightSentence(carry_on)}`,
    `Personal item: ${limitText(personal_item)}.${weightSentence(personal_item)}${together}`,
  ]
}

/** "first checked bag 35 USD, second 45 USD, on domestic and short flights (Main Basic)"; ranges of prices in two sentences. */
function fareText({ scope, fare, first_bag, second_bag }: Fare): string {
  const [first, second] = [bagText(first_bag), bagText(second_bag)]
  const between = (`${first} ${second}`.match(/\d+/g) ?? []).length > 3 ? `. The second one` : ', second'
  return `first checked bag ${first}${between} ${second}, on ${SCOPES[scope] ?? scope} flights (${fare})`
}

const SCOPES: Record<string, string> = { 'domestic/short-haul': 'domestic and short', 'long-haul': 'long' }

function limitLine({ fares, weight_kg, linear_cm }: NonNullable<BaggagePolicy['checked']>): string {
  const limits = [weight_kg && `${weight_kg} kg`, linear_cm && `${linear_cm} cm (length, width and height added)`]
  const known = limits.filter(Boolean)
  return known.length === 0
    ? 'Checked bag limits: not known.'
    : `A checked bag${fares.length > 0 ? ' at these prices' : ''} has at most ${known.join(' and ')}.`
}

function overweightText({ over_kg, to_kg, over_cm, to_cm, unit, currency, note, ...money }: Overweight): string {
  const band = (from: number | null, to: number | null, measure: string) =>
    from === null && to === null
      ? null
      : `${[from && `over ${from}`, to && `to ${to}`].filter(Boolean).join(' ')} ${measure}`
  const bands =
    [band(over_kg, to_kg, 'kg'), band(over_cm, to_cm, 'cm')].filter(Boolean).join(', ') || 'overweight or oversize'
  const { price, price_min, price_max } = money
  const figure = price ?? rangeText(price_min, price_max)
  const amount = figure === null ? 'price not known' : `${figure} ${currency}`
  const remark = note === null || /undated/.test(note) ? '' : ` (${note})`
  return `A checked bag ${bands}: ${amount}${unit === null ? '' : ` ${unit}`}${remark}.`
}

/** The dates of the sources, each once. */
function datesLine({ cabin, checked }: BaggagePolicy): string | null {
  const checkedSources: Dated[] = checked ? [...checked.fares, ...checked.overweight] : []
  if (checked?.limits_evidence) checkedSources.push(checked.limits_evidence)
  const datesOf = (rows: readonly Dated[]) => [...new Set(rows.map(datedText))].join('; ')
  const parts = [
    cabin && `cabin bags ${datesOf([{ as_of: cabin.as_of, caution: null }]) || 'undated'}`,
    checkedSources.length > 0 && `checked bags ${datesOf(checkedSources)}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : sentenceOf(`The facts: ${parts.join('; ')}`)
}

const isFlying = (checked: BaggagePolicy['checked']) => checked === null || checked.status === 'flying'

/** The answer first: the checked bags, else the cabin bag. */
function firstLine({ airline, iata, corrected, change, fare: named, checked }: BaggagePolicy, cabin: string[]): string {
  const name = `${corrected ? `If ${airline} was meant: ` : ''}${airline}${iata ? ` (${iata})` : ''}`
  if (checked && !isFlying(checked))
    return `${change ?? `${name} has ${checked.status}`}: do not plan with it. Its bags were: ${cabin.join(' ')}`
  const [fare] = checked?.fares ?? []
  const apart = named === null ? '' : `What holds for “${named}” alone is not known here. `
  return `${change === null ? '' : `${change}. `}${apart}${name}: ${fare ? `${fareText(fare)}.` : cabin.join(' ')}`
}

/** The further fares as lines; one that an earlier line names already is what another page says of it. */
const furtherFares = (fares: readonly Fare[]) =>
  fares.slice(1).map((allowance, before) => {
    const isNamed = fares
      .slice(0, before + 1)
      .some(({ scope, fare }) => scope === allowance.scope && fare === allowance.fare)
    return `${isNamed ? 'Another page says' : 'Also'}: ${fareText(allowance)}.`
  })

export function baggagePolicyText(answer: BaggagePolicy, whole: BaggagePolicy): string {
  const { airline, policy_url, cabin, checked } = answer
  const cabinText = cabinLines(cabin)
  const fares = checked?.fares ?? []
  const isCabinFirst = fares.length === 0 || !isFlying(checked)
  const second = isCabinFirst ? ['Checked bags: fees not known.'] : cabinText
  const overweight = checked?.overweight ?? []
  const notes = checked?.notes ?? []
  return [
    firstLine(answer, cabinText),
    ...furtherFares(fares),
    ...second,
    checked && limitLine(checked),
    ...overweight.map(overweightText),
    isFlying(checked) && `Fees change often: what ${airline} says counts${policy_url ? `: ${policy_url}` : ''}.`,
    ...notes,
    cabin?.caution,
    datesLine(whole),
    checked && checked.confidence !== 'high' && 'The fees of checked bags are not certain.',
  ]
    .filter(Boolean)
    .join('\n')
}
