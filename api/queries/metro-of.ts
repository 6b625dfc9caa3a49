import { METRO_CODES, type MetroCode } from '../../config/reference/metro-codes.ts'

/** The city of a metropolitan area code, or of a name that is its own; its airports with the busiest first. */
export function metroOf(query: string): MetroCode | null {
  const [code, name] = [query.trim().toUpperCase(), query.trim().toLowerCase()]
  const metro = METRO_CODES.rows().find((one) => one.metro === code || one.name.toLowerCase() === name)
  if (!metro) return null
  const airports = metro.airports.toSorted((a, b) => (b.traffic_rank ?? 0) - (a.traffic_rank ?? 0))
  return { ...metro, airports }
}
