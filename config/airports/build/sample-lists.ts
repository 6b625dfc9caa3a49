import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** A row of mborsetti/airportsdata (MIT), release 2026-08-03. */
const AirportsDataRow = z.object({ iata: z.string(), city: z.string(), lat: z.coerce.number(), lon: z.coerce.number() })

/** The cities of airportsdata by IATA code; airports without one are left out. */
export function airportsDataCities(folder: string): Map<string, z.output<typeof AirportsDataRow>> {
  const file = join(folder, 'samples', 'airports', 'mborsetti-airportsdata-v20260803.csv.gz')
  const rows = z.array(AirportsDataRow).parse(parse(gunzipSync(readFileSync(file)), { columns: true }))
  return new Map(rows.filter(({ iata, city }) => iata !== '' && city !== '').map((row) => [row.iata, row]))
}

/** The rank of airports by flights, 1 for the largest: the PageRank of OpenTravelData (CC BY 4.0) at commit c17743a. */
export function trafficRanks(folder: string): Map<string, number> {
  const file = join(folder, 'samples', 'airports', 'optd-ref_airport_pageranked.csv')
  const rows = z
    .array(z.object({ pk: z.string(), por_code: z.string(), pr_freq: z.coerce.number() }))
    .parse(parse(readFileSync(file), { columns: true, delimiter: '^' }))
  const ranks = new Map<string, number>()
  // The key of an airport has the form IST-A-11838481; cities have a C.
  for (const { pk, por_code, pr_freq } of rows)
    if (pk.startsWith(`${por_code}-A-`)) ranks.set(por_code, Math.max(pr_freq, ranks.get(por_code) ?? 0))
  return ranks
}

const Metro = z.object({ metro: z.string(), name: z.string(), airports: z.array(z.object({ iata: z.string() })) })
export type Metro = z.output<typeof Metro>

/** Cities with several airports, as config/reference has them. */
export function metros(folder: string): Metro[] {
  const text = readFileSync(join(folder, 'reference-data', 'metro-codes.json'), 'utf8')
  return z.object({ rows: z.array(Metro) }).parse(JSON.parse(text)).rows
}
