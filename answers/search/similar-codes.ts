import type { Airport, Directory } from '../../config/airports/directory.ts'
import { SEARCH_NAMES } from '../../config/airports/search/search-names.ts'
import type { AirportSize } from '../../config/domain.ts'
import { once } from '../../config/once.ts'

const SIZE_ORDER: Record<AirportSize, number> = { large: 0, medium: 1, small: 2 }
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const MAX_SIMILAR = 3

/** By IATA code: the larger, the busier. */
const trafficRanks = once(() => new Map(SEARCH_NAMES.traffic()))

/**
 * The airports with flights that may be meant by a code that none has: two letters exchanged (JKF), or, unless that is a
 * large airport, one letter wrong of the code of a large one (JFL). The largest and busiest first, three at most.
 */
export function similarCodes(text: string, { byIata }: Directory): Airport[] {
  const code = text.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) return []
  const served = (codes: readonly string[]) =>
    codes.flatMap((other) => byIata.get(other) ?? []).filter(({ scheduled_service }) => scheduled_service)
  const [a = '', b = '', c = ''] = code
  const exchanged = served([`${b}${a}${c}`, `${a}${c}${b}`])
  const wrong = LETTERS.flatMap((letter) => [`${letter}${b}${c}`, `${a}${letter}${c}`, `${a}${b}${letter}`])
  const isLarge = ({ size }: Airport) => size === 'large'
  const similar = exchanged.some(isLarge) ? exchanged : [...exchanged, ...served(wrong).filter(isLarge)]
  const rankOf = ({ iata }: Airport) => trafficRanks().get(iata) ?? 0
  return similar
    .toSorted((one, other) => SIZE_ORDER[one.size] - SIZE_ORDER[other.size] || rankOf(other) - rankOf(one))
    .slice(0, MAX_SIMILAR)
}
