import { searchAirports } from '../../answers/search/find-airports.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import type { Completion } from './define-prompt.ts'

/** The protocol allows 100; a short list is easier to choose from. */
const MAX_VALUES = 20

/** Shorter texts are part of nearly every name. */
const MIN_NAME_LENGTH = 3

/** The completion of an answer to completion/complete. */
export type CompletionResult = {
  values: string[]
  total: number
  hasMore: boolean
}

/** The values that complete a typed text, the most likely first. */
export function complete(completion: Completion, typed: string, directory: Directory): CompletionResult {
  const values = valuesOf(completion, typed.trim(), directory)
  return { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES }
}

function valuesOf(completion: Completion, typed: string, directory: Directory): string[] {
  if (typeof completion !== 'string') return completion.filter((word) => word.startsWith(typed.toLowerCase()))
  if (typed === '') return []
  const found = typed.length < MIN_NAME_LENGTH ? [] : searchAirports(directory, typed)
  // Names that begin with what is typed come first: the rest of it is still to come.
  const begins = ({ city, name }: Airport) => [city, name].some((text) => text && startsWithText(text, typed))
  const byName = found
    .filter(begins)
    .sort((a, b) => rank(a) - rank(b))
    .concat(found.filter((airport) => !begins(airport)))
  if (completion === 'city')
    return distinct(byName.flatMap(({ city }) => (city && startsWithText(city, typed) ? [city] : [])))
  // A typed text is more likely the start of a code than a part of a name.
  return distinct([...airportsByCode(typed.toUpperCase(), directory), ...byName].map(({ iata }) => iata))
}

const letters = new Intl.Collator('en', { sensitivity: 'base' })
const startsWithText = (name: string, typed: string) => letters.compare(name.slice(0, typed.length), typed) === 0

const distinct = (values: string[]) => [...new Set(values)]

/** Airports whose code starts with a text: those with scheduled flights first, then by size. */
function airportsByCode(typed: string, directory: Directory): Airport[] {
  const matches = directory.all.filter(({ iata }) => iata.startsWith(typed))
  return matches.sort((a, b) => rank(a) - rank(b))
}

const SIZE_RANK = { large: 0, medium: 1, small: 2 }
const rank = ({ size, scheduled_service }: Airport) => (scheduled_service ? 0 : 3) + SIZE_RANK[size]
