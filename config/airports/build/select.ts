import { distanceKm } from '../distance.ts'
import type { BaseRow, OurAirportsRow } from './packages.ts'

/** IATA codes that are not airports: rail, bus and ferry stops, whole cities. */
const NOT_AN_AIRPORT =
  /railway|\brail (station|stn)|train station|\bbus (station|stn|plaza)|ferry (port|terminal)|\bgare\b|^metropolitan area$|^paris metropolitan$|\/coliseum station|\bT station$/i
const HELIPORT = /heliport/i

/** The OurAirports row for a base row: by IATA code if both are the same place, otherwise by ICAO code; null when there is none. */
export function matchOurAirports(
  row: BaseRow,
  byIata: ReadonlyMap<string, OurAirportsRow>,
  byIcao: ReadonlyMap<string, OurAirportsRow>,
): OurAirportsRow | null {
  const named = byIata.get(row.iata)
  if (named && (named.iso_country === row.country_code || isNear(row, named))) return named
  const icao = row.icao ? byIcao.get(row.icao) : undefined
  return icao && isNear(row, icao) ? icao : null
}

function isNear(row: BaseRow, other: OurAirportsRow): boolean {
  return distanceKm(row.latitude, row.longitude, other.latitude_deg, other.longitude_deg) < 50
}

/** Why a row is excluded from the directory; null when it is included. */
export function exclusionReason(row: BaseRow, match: OurAirportsRow | null): string | null {
  if (row.type === 'closed') return 'closed'
  if (NOT_AN_AIRPORT.test(row.airport)) return 'not an airport'
  // Q codes are rail stations, air bases and closed airfields; the base package gives many of them to the wrong place.
  if (row.iata.startsWith('Q') && match?.iata_code !== row.iata) return 'unconfirmed Q code'
  if (!match && (HELIPORT.test(row.airport) || row.type === 'heliport') && !hasHelicopterService(row))
    return 'heliport without service'
  if (row.type === 'seaplane_base' && row.scheduled_service !== 'TRUE') return 'seaplane base without service'
  return null
}

/** Heliports with scheduled flights: Greenland, Scilly, and the few others that the base does not call medium or American. */
function hasHelicopterService(row: BaseRow): boolean {
  if (row.scheduled_service !== 'TRUE' || row.icao === '' || row.country_code === 'US') return false
  return row.type !== 'medium_airport' || row.country_code === 'GL' || row.country_code === 'GB'
}

/**
 * Whether an airport has scheduled flights, according to OurAirports if it has the airport, otherwise to the base. The base's
 * `medium_airport, TRUE` without an ICAO code is ignored: the base has these values for codes it knows nothing about.
 */
export function hasService(row: BaseRow, match: OurAirportsRow | null): boolean {
  if (match) return match.scheduled_service === 'yes'
  if (row.scheduled_service !== 'TRUE') return false
  return row.type !== 'medium_airport' || row.icao !== ''
}
