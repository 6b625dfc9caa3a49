import { type Airport, indexAirports } from '../../config/airports/directory.ts'

function airport(fields: Partial<Airport> & Pick<Airport, 'iata' | 'name' | 'timezone'>): Airport {
  return {
    icao: null,
    city: null,
    country: 'US',
    region: null,
    latitude: 0,
    longitude: 0,
    elevation_ft: null,
    size: 'large',
    scheduled_service: true,
    faa_id: null,
    runways: [],
    longest_runway_ft: null,
    ...fields,
  }
}

/** A small directory for tests: airports inside and outside the US, a half-hour time zone, names with accents. */
export const DIRECTORY = indexAirports(
  [
    airport({
      iata: 'JFK',
      icao: 'KJFK',
      faa_id: 'JFK',
      name: 'John F. Kennedy International Airport',
      city: 'New York',
      region: 'US-NY',
      timezone: 'America/New_York',
      latitude: 40.6398,
      longitude: -73.7789,
      elevation_ft: 13,
      runways: [{ ident: '04L/22R', length_ft: 12_079, width_ft: 200, surface: 'concrete' }],
      longest_runway_ft: 12_079,
    }),
    airport({
      iata: 'LGA',
      icao: 'KLGA',
      faa_id: 'LGA',
      name: 'LaGuardia Airport',
      city: 'New York',
      region: 'US-NY',
      timezone: 'America/New_York',
      size: 'medium',
    }),
    airport({
      iata: 'GRU',
      icao: 'SBGR',
      name: 'São Paulo Guarulhos International Airport',
      country: 'BR',
      city: 'São Paulo',
      timezone: 'America/Sao_Paulo',
    }),
    airport({
      iata: 'DEL',
      icao: 'VIDP',
      name: 'Indira Gandhi International Airport',
      country: 'IN',
      city: 'Delhi',
      timezone: 'Asia/Kolkata',
    }),
    airport({
      iata: 'ZRH',
      icao: 'LSZH',
      name: 'Zürich Airport',
      city: 'Zurich',
      country: 'CH',
      timezone: 'Europe/Zurich',
    }),
    airport({
      iata: 'XSM',
      name: '=Small, "Field"',
      country: 'US',
      size: 'small',
      scheduled_service: false,
      timezone: 'America/Denver',
      longitude: -105.5,
    }),
  ].sort((a, b) => (a.iata < b.iata ? -1 : 1)),
)
