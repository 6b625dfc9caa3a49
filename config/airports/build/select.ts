import { distanceKm } from '../distance.ts'
import type { BaseRow, OurAirportsRow } from './packages.ts'

/** Codes that are sold like airports but where nothing takes off: rail, bus and ferry stops, whole cities. */
const NOT_AN_AIRPORT =
  /railway|\brail (station|stn)|train station|\bbus (station|stn|plaza)|ferry (port|terminal)|\bgare\b|^metropolitan area$|^paris metropolitan$|\/coliseum station|\bT station$/i
const HELIPORT = /heliport/i

/** OurAirports' row of a base row, by code where both mean one place, else by ICAO code; null when it has none. */
export function matchOurAirports(
  row: BaseRow,
  byIata: ReadonlyMap<string, OurAirportsRow>,
  byIcao: ReadonlyMap<string, OurAirportsRow>,
): OurAirportsRow | null {
  const named = byIata.get(row.iata)
  if (named && (named.iso_country === row.country_code || near(row, named))) return named
  const icao = row.icao ? byIcao.get(row.icao) : undefined
  return icao && near(row, icao) ? icao : null
}

function near(row: BaseRow, other: OurAirportsRow): boolean {
  return distanceKm(row.latitude, row.longitude, other.latitude_deg, other.longitude_deg) < 50
}

/** Why a row is left out of the directory, or null to keep it. */
export function exclusionReason(row: BaseRow, match: OurAirportsRow | null): string | null {
  if (row.type === 'closed') return 'closed'
  if (NOT_AN_AIRPORT.test(row.airport)) return 'not an airport'
  // Q codes name stations, air bases and closed fields; the base package gives many of them to the wrong place.
  if (row.iata.startsWith('Q') && match?.iata_code !== row.iata) return 'unconfirmed Q code'
  if (!match && (HELIPORT.test(row.airport) || row.type === 'heliport') && !flownByHelicopter(row))
    return 'heliport without service'
  if (row.type === 'seaplane_base' && row.scheduled_service !== 'TRUE') return 'seaplane base without service'
  return null
}

/** Heliports with a timetable: Greenland's settlements, Scilly, and those few that the base calls neither medium nor American. */
function flownByHelicopter(row: BaseRow): boolean {
  if (row.scheduled_service !== 'TRUE' || row.icao === '' || row.country_code === 'US') return false
  return row.type !== 'medium_airport' || row.country_code === 'GL' || row.country_code === 'GB'
}

/**
 * Whether airlines fly there on a timetable. OurAirports knows where it has the airport. Elsewhere the base is believed,
 * but for its `medium_airport, TRUE` without an ICAO code: those are what it says of codes it knows nothing about.
 */
export function hasService(row: BaseRow, match: OurAirportsRow | null): boolean {
  if (match) return match.scheduled_service === 'yes'
  if (row.scheduled_service !== 'TRUE') return false
  return row.type !== 'medium_airport' || row.icao !== ''
}
