import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { formerCodes } from '../former-codes.ts'

/** The rank of airports by flights, 1 for the largest: the PageRank of OpenTravelData (CC BY 4.0) at commit c17743a. */
export function trafficRanks(folder: string): Map<string, number> {
  const file = join(folder, 'samples', 'airports', 'optd-ref_airport_pageranked.csv')
  const rows = z
    .array(z.object({ pk: z.string(), por_code: z.string(), pr_freq: z.coerce.number() }))
    .parse(parse(readFileSync(file), { columns: true, delimiter: '^' }))
  const ranks = new Map<string, number>()
  // The key of an airport has the form IST-A-11838481; cities have a C.
  for (const { pk, por_code, pr_freq } of rows) {
    if (!pk.startsWith(`${por_code}-A-`)) continue
    const { kind, airport } = formerCodes().byCode.get(por_code) ?? {}
    // The flights of an airport that closed are those of the airport in its place, if it had none of its own yet.
    const code = (kind && airport) || por_code
    ranks.set(code, Math.max(pr_freq, ranks.get(code) ?? 0))
  }
  return ranks
}

const Metro = z.object({ metro: z.string(), name: z.string(), airports: z.array(z.object({ iata: z.string() })) })
export type Metro = z.output<typeof Metro>

/** Cities with several airports, as config/reference has them. */
export function metros(folder: string): Metro[] {
  const text = readFileSync(join(folder, 'reference-data', 'metro-codes.json'), 'utf8')
  return z.object({ rows: z.array(Metro) }).parse(JSON.parse(text)).rows
}
