import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { groupBy } from '../../group-by.ts'
import { projectFile } from '../../paths.ts'
import type { BaseRow, FaaRow, OurAirportsRow } from './packages.ts'

/** The sources that name a place for a code, the most trusted first. */
export const SOURCES = ['FAA', 'OurAirports', 'airportsdata', 'OpenTravelData', 'airport-data-js'] as const
export type SourceName = (typeof SOURCES)[number]

/** One source's statement about an IATA code. */
export interface Evidence {
  source: SourceName
  icao: string | null
  name: string
  country: string
  latitude: number
  longitude: number
  /** Since when the code is this airport's, where the source says so. */
  since: string | null
  /** The coordinates are those of the town, not of the airport. */
  town: boolean
}

const present = (text: string | null | undefined) => (text ? text : null)

export const baseEvidence = (row: BaseRow): Evidence => ({
  source: 'airport-data-js',
  icao: present(row.icao),
  name: row.airport,
  country: row.country_code,
  latitude: row.latitude,
  longitude: row.longitude,
  since: null,
  town: false,
})

export const ourAirportsEvidence = (row: OurAirportsRow): Evidence => ({
  source: 'OurAirports',
  icao: present(row.gps_code || row.ident),
  name: row.name,
  country: row.iso_country,
  latitude: row.latitude_deg,
  longitude: row.longitude_deg,
  since: null,
  town: false,
})

export const faaEvidence = (row: FaaRow, country: string): Evidence => ({
  source: 'FAA',
  icao: present(row.icao),
  name: row.name,
  country,
  latitude: row.lat,
  longitude: row.lon,
  since: null,
  town: false,
})

/** A row of mborsetti/airportsdata (MIT), release 2026-08-03, whose codes its authors check against the AIPs of the countries. */
const AirportsDataRow = z.object({
  iata: z.string(),
  icao: z.string(),
  name: z.string(),
  city: z.string(),
  country: z.string(),
  lat: z.coerce.number(),
  lon: z.coerce.number(),
})
export type AirportsDataRow = z.output<typeof AirportsDataRow>

export interface AirportsData {
  byIata: Map<string, AirportsDataRow>
  byIcao: Map<string, AirportsDataRow>
}

export function airportsData(folder: string): AirportsData {
  const file = join(folder, 'samples', 'airports', 'mborsetti-airportsdata-v20260803.csv.gz')
  const rows = z.array(AirportsDataRow).parse(parse(gunzipSync(readFileSync(file)), { columns: true }))
  return {
    byIata: new Map(rows.flatMap((row) => (row.iata === '' ? [] : [[row.iata, row]]))),
    byIcao: new Map(rows.flatMap((row) => (row.icao === '' ? [] : [[row.icao, row]]))),
  }
}

/** Some of its names have lost a letter to a question mark. */
export const airportsDataEvidence = (row: AirportsDataRow): Evidence => ({
  source: 'airportsdata',
  icao: /^[A-Z]{4}$/.test(row.icao) ? row.icao : null,
  name: row.name,
  country: row.country,
  latitude: row.lat,
  longitude: row.lon,
  since: null,
  town: false,
})

/** A row of opentraveldata.csv (OpenTravelData, CC BY 4.0): one holder of a code, with the days between which it held it. */
const OpenTravelRow = z.object({
  iata: z.string(),
  icao: z.string(),
  name: z.string(),
  country: z.string(),
  lat: z.coerce.number(),
  lon: z.coerce.number(),
  fcode: z.string(),
  from: z.string(),
  until: z.string(),
})
export type OpenTravelRow = z.output<typeof OpenTravelRow>

/** The holders of every code, former ones included. The file is cut by cut-opentraveldata.ts and committed. */
export function openTravelData(): Map<string, OpenTravelRow[]> {
  const text = readFileSync(projectFile('config', 'airports', 'build', 'opentraveldata.csv'), 'utf8')
  return groupBy(z.array(OpenTravelRow).parse(parse(text, { columns: true })), ({ iata }) => iata)
}

export const openTravelDataEvidence = (row: OpenTravelRow): Evidence => ({
  source: 'OpenTravelData',
  icao: present(row.icao),
  name: row.name,
  country: row.country,
  latitude: row.lat,
  longitude: row.lon,
  since: present(row.from),
  town: !row.fcode.startsWith('AIR'),
})
