import { distance } from 'fastest-levenshtein'
import { HoldshortError, ParameterError } from '../../../config/errors.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../../config/reference/bags.ts'

/** An airline that the facts on bags name. */
export interface NamedAirline {
  iata: string | null
  airline: string
  cabin_id: string
}

const fold = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** The names that are a slip or two away. */
function meant(all: NamedAirline[], text: string): string {
  const most = text.length < 8 ? 1 : 2
  const near = all.filter(({ airline }) => distance(fold(airline), text) <= most)
  return near.length === 0 ? '' : `; perhaps meant: ${near.map(({ airline }) => airline).join(', ')}`
}

/**
 * The airline of an IATA code or a name, or part of a name that only one has.
 * @throws ParameterError when several match; HoldshortError NOT_FOUND when none is known.
 */
export function findAirline(asked: string): NamedAirline {
  const all: NamedAirline[] = CABIN_BAGS.rows().map(({ iata, airline, id }) => ({ iata, airline, cabin_id: id }))
  for (const { iata, airline, cabin_id } of CHECKED_BAGS.rows())
    if (!all.some((one) => one.cabin_id === cabin_id)) all.push({ iata, airline, cabin_id })
  const text = fold(asked)
  const exact = all.filter(({ iata, airline }) => iata === asked.toUpperCase() || fold(airline) === text)
  const found = exact.length > 0 ? exact : all.filter(({ airline }) => text.length > 2 && fold(airline).includes(text))
  const [first, ...others] = found
  if (!first)
    throw new HoldshortError(
      'NOT_FOUND',
      `airline: the bags of "${asked}" are not known here${meant(all, text)}; give its name or its IATA code of two characters, or ask the airline`,
    )
  if (others.length > 0) {
    const named = found.slice(0, 8).map(({ airline, iata }) => (iata ? `${airline} (${iata})` : airline))
    throw new ParameterError([{ parameter: 'airline', message: `matches several: ${named.join(', ')}` }])
  }
  return first
}
