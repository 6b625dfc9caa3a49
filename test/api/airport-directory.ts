import { readFileSync } from 'node:fs'
import { type Airport, indexAirports } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'

/** What the file says nothing of. */
const UNSAID = {
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
} satisfies Partial<Airport>

const rows: Pick<Airport, 'iata' | 'name' | 'timezone'>[] = JSON.parse(
  readFileSync(projectFile('test/api/airport-directory.json'), 'utf8'),
)

/** A small directory for tests: airports inside and outside the US, a half-hour time zone, names with accents. */
export const DIRECTORY = indexAirports(
  rows.map((row): Airport => ({ ...UNSAID, ...row })).sort((a, b) => (a.iata < b.iata ? -1 : 1)),
)
