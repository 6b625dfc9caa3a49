import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { searchAirports } from '../queries/airport-search.ts'
import type { Completion } from './define.ts'

/** As many as the protocol lets one answer have; few are enough to choose from. */
const MOST = 20

const SHORTEST_NAME = 3

/** What an answer to completion/complete has. */
export type Completed = {
  values: string[]
  total: number
  hasMore: boolean
}

/** Values that an argument may have been meant to get, the likeliest first. */
export function complete(completion: Completion, typed: string, directory: Directory): Completed {
  const values = valuesOf(completion, typed.trim(), directory)
  return { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST }
}

function valuesOf(completion: Completion, typed: string, directory: Directory): string[] {
  if (typeof completion !== 'string') return completion.filter((word) => word.startsWith(typed.toLowerCase()))
  if (typed === '') return []
  // So few letters are somewhere in nearly every name.
  const found = typed.length < SHORTEST_NAME ? [] : searchAirports(directory, typed)
  if (completion === 'city')
    return distinct(found.flatMap(({ city }) => (city && beginsWith(city, typed) ? [city] : [])))
  // A code that is being typed is likelier meant than a name with these letters somewhere.
  return distinct([...withCodeFrom(typed.toUpperCase(), directory), ...found].map(({ iata }) => iata))
}

const letters = new Intl.Collator('en', { sensitivity: 'base' })
const beginsWith = (name: string, typed: string) => letters.compare(name.slice(0, typed.length), typed) === 0

const distinct = (values: string[]) => [...new Set(values)]

function withCodeFrom(typed: string, directory: Directory): Airport[] {
  const found = directory.all.filter(({ iata }) => iata.startsWith(typed))
  return found.sort((a, b) => place(a) - place(b))
}

const place = ({ size, scheduled_service }: Airport) =>
  (scheduled_service ? 0 : 3) + { large: 0, medium: 1, small: 2 }[size]
