import type { Airport, Directory } from '../../config/airports/directory.ts'
import { findAirports } from '../search/find-airports.ts'

/** The airports that a text means, the likeliest first. */
export function searchAirports(directory: Directory, query: string): Airport[] {
  return findAirports(directory, query).map(({ airport }) => airport)
}
