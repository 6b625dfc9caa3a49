import { distance } from 'fastest-levenshtein'
import { HoldshortError, ParameterError } from '../../../config/errors.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../../config/reference/bags.ts'

/** An airline of the baggage facts. */
export interface BaggageAirline {
  iata: string | null
  airline: string
  cabin_id: string
}

/**
 * The airline with an IATA code or a name, or with a part of a name that only one airline has.
 * @throws ParameterError when several match; HoldshortError NOT_FOUND when none is known
 */
export function findAirline(query: string): BaggageAirline {
  const airlines = baggageAirlines()
  const text = fold(query)
  const exact = airlines.filter(({ iata, airline }) => iata === query.toUpperCase() || fold(airline) === text)
  const partial = () => airlines.filter(({ airline }) => text.length > 2 && fold(airline).includes(text))
  const matches = exact.length > 0 ? exact : partial()
  const [first, ...others] = matches
  if (!first)
    throw new HoldshortError(
      'NOT_FOUND',
      `airline: no baggage facts are known for "${query}"${suggestions(airlines, text)}; give its name or its IATA code of two characters, or ask the airline`,
    )
  if (others.length > 0) {
    const names = matches.slice(0, 8).map(({ airline, iata }) => (iata ? `${airline} (${iata})` : airline))
    throw new ParameterError([{ parameter: 'airline', message: `matches several: ${names.join(', ')}` }])
  }
  return first
}

/** The IATA code that a text is, or that of the one airline with this name. @throws ParameterError for any other text */
export function airlineCode(text: string): string {
  const code = text.trim().toUpperCase()
  if (/^[A-Z0-9]{2}$/.test(code)) return code
  const named = baggageAirlines().filter(({ iata, airline }) => iata !== null && fold(airline) === fold(text))
  if (named.length === 1) return named[0]!.iata!
  const message = 'must be an IATA airline code of two letters or digits, like DL, or the whole name of a known airline'
  throw new ParameterError([{ parameter: 'airline', message }])
}

function baggageAirlines(): BaggageAirline[] {
  const airlines: BaggageAirline[] = CABIN_BAGS.rows().map(({ iata, airline, id }) => ({ iata, airline, cabin_id: id }))
  for (const { iata, airline, cabin_id } of CHECKED_BAGS.rows())
    if (!airlines.some((known) => known.cabin_id === cabin_id)) airlines.push({ iata, airline, cabin_id })
  return airlines
}

/** Lower case letters and digits only, without accents. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** The airlines whose name is one or two typing errors away, for the error message. */
function suggestions(airlines: BaggageAirline[], text: string): string {
  const maxTypos = text.length < 8 ? 1 : 2
  const similar = airlines.filter(({ airline }) => distance(fold(airline), text) <= maxTypos)
  return similar.length === 0 ? '' : `; did you mean ${similar.map(({ airline }) => airline).join(', ')}?`
}
