import type { Airport } from '../directory.ts'
import { distanceKm } from '../distance.ts'
import type { BaseRow, FaaRow } from './packages.ts'

/** Countries and territories whose airports have an FAA id. */
const FAA_COUNTRIES = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS', 'UM', 'FM', 'MH', 'PW'])

/** FAA ids that changed while the airport's code did not (NASR cycle 2026-09-03). */
const RENAMED: Record<string, string> = { PBI: 'DJT' }

export interface FaaIndex {
  byIcao: Map<string, FaaRow>
  byId: Map<string, FaaRow>
}

export function indexFaa(rows: FaaRow[]): FaaIndex {
  const byIcao = new Map<string, FaaRow>()
  for (const row of rows) if (row.icao) byIcao.set(row.icao, row)
  return { byIcao, byId: new Map(rows.map((row) => [row.faaId, row])) }
}

/** The FAA's row of an airport, found by ICAO code, or by FAA id within 25 km; null when there is none. */
export function matchFaa(row: BaseRow, faa: FaaIndex): FaaRow | null {
  if (!FAA_COUNTRIES.has(row.country_code)) return null
  const byIcao = row.icao ? faa.byIcao.get(row.icao) : undefined
  if (byIcao) return byIcao
  for (const id of [RENAMED[row.iata], row.icao, row.icao.replace(/^K/, ''), row.iata]) {
    const found = id ? faa.byId.get(id) : undefined
    if (found && distanceKm(row.latitude, row.longitude, found.lat, found.lon) < 25) return found
  }
  return null
}

/** Writes `NEW YORK` as `New York`; the FAA writes names in capitals. */
export function titleCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|[\s\-/.(])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** Keeps every FAA id once: if two airports matched one facility, the one whose IATA code equals the id keeps it, otherwise the first. */
export function dropSharedFaaIds(airports: Airport[]): void {
  const owner = new Map<string, Airport>()
  for (const airport of airports) {
    if (!airport.faa_id) continue
    const other = owner.get(airport.faa_id)
    if (!other || airport.iata === airport.faa_id) owner.set(airport.faa_id, airport)
  }
  for (const airport of airports) {
    if (airport.faa_id && owner.get(airport.faa_id) !== airport) airport.faa_id = null
  }
}
