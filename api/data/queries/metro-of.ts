import { distance } from 'fastest-levenshtein'
import { METRO_CODES, type MetroCode } from '../../../config/reference/metro-codes.ts'

/** A shorter name is a slip away from many others. */
const SHORTEST_NAME = 4

/** The city of a metropolitan area code, or of a name that is its own or a slip away ("Tokio"); the busiest airport first. */
export function metroOf(query: string): MetroCode | null {
  const [code, name] = [query.trim().toUpperCase(), query.trim().toLowerCase()]
  const all = METRO_CODES.rows()
  const exact = all.find((one) => one.metro === code || one.name.toLowerCase() === name)
  const near = () => all.find((one) => distance(one.name.toLowerCase(), name) === 1)
  const metro = exact ?? (name.length < SHORTEST_NAME ? undefined : near())
  if (!metro) return null
  const airports = metro.airports.toSorted((a, b) => (b.traffic_rank ?? 0) - (a.traffic_rank ?? 0))
  return { ...metro, airports }
}
