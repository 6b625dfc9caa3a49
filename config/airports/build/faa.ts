import type { Airport } from '../directory.ts'
import { distanceKm } from '../distance.ts'
import type { FaaRow } from './packages.ts'

/** Countries and territories whose airports have an FAA id. */
const FAA_COUNTRIES = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS', 'UM', 'FM', 'MH', 'PW'])

/** An airport of a source that is further away than this is another one. */
const MAX_APART_KM = 25

export interface FaaIndex {
  byIcao: Map<string, FaaRow>
  byId: Map<string, FaaRow>
}

export function indexFaa(rows: FaaRow[]): FaaIndex {
  const byIcao = new Map<string, FaaRow>()
  for (const row of rows) if (row.icao) byIcao.set(row.icao, row)
  return { byIcao, byId: new Map(rows.map((row) => [row.faaId, row])) }
}

/** The FAA's row of an airport, found by its ICAO code or by an FAA id of the same letters, within 25 km; null when there is none. */
export function matchFaa(
  airport: { iata: string; icao: readonly string[]; country: string; latitude: number; longitude: number },
  faa: FaaIndex,
): FaaRow | null {
  if (!FAA_COUNTRIES.has(airport.country)) return null
  const byIcao = airport.icao.map((icao) => faa.byIcao.get(icao))
  const byId = [...airport.icao.flatMap((icao) => [icao, icao.replace(/^K/, '')]), airport.iata].map((id) =>
    faa.byId.get(id),
  )
  const isNear = (row: FaaRow | undefined) =>
    row !== undefined && distanceKm(airport, { latitude: row.lat, longitude: row.lon }) < MAX_APART_KM
  return [...byIcao, ...byId].find(isNear) ?? null
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
