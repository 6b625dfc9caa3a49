import type { BaseRow, OurAirportsRow } from './packages.ts'

/** IATA codes that are not airports: rail, bus and ferry stops, whole cities. */
const NOT_AN_AIRPORT =
  /railway|\brail (station|stn)|train station|\bbus (station|stn|plaza)|ferry (port|terminal)|\bgare\b|^metropolitan area$|^paris metropolitan$|\/coliseum station|\bT station$/i
const HELIPORT = /heliport/i

/** Why a row is excluded from the directory; null when it is included. `name` is that of the airport that has the code now. */
export function exclusionReason(row: BaseRow, name: string, match: OurAirportsRow | null): string | null {
  if (row.type === 'closed') return 'closed'
  if (NOT_AN_AIRPORT.test(name)) return 'not an airport'
  // Q codes are rail stations, air bases and closed airfields; the base package gives many of them to the wrong place.
  if (row.iata.startsWith('Q') && match?.iata_code !== row.iata) return 'unconfirmed Q code'
  if (!match && (HELIPORT.test(name) || row.type === 'heliport') && !hasHelicopterService(row))
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
