import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { Runway } from '../directory.ts'
import type { FaaRow } from './packages.ts'

/** A row of OurAirports' runways.csv (public domain). Numbers are texts, empty when not known. */
const OurRunway = z.object({
  airport_ident: z.string(),
  length_ft: z.string(),
  width_ft: z.string(),
  surface: z.string(),
  closed: z.enum(['0', '1']),
  le_ident: z.string(),
  he_ident: z.string(),
})
type OurRunway = z.infer<typeof OurRunway>

/** The runways of OurAirports by the identifier of the airport, which is its ICAO code where it has one. */
export function ourRunways(file: string): Map<string, Runway[]> {
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  const rows = z.array(OurRunway).parse(parse(text, { columns: true }))
  const byAirport = new Map<string, Runway[]>()
  for (const row of rows) {
    if (!isOpenLandRunway(row)) continue
    const list = byAirport.get(row.airport_ident) ?? []
    list.push({
      ident: [row.le_ident, row.he_ident].filter(Boolean).join('/') || null,
      length_ft: feet(row.length_ft),
      width_ft: feet(row.width_ft),
      surface: row.surface.trim() || null,
    })
    byAirport.set(row.airport_ident, list)
  }
  for (const list of byAirport.values()) list.sort(longestFirst)
  return byAirport
}

/** Helipads (H1), strips for helicopters (08H), water and closed runways are not counted as runways. */
function isOpenLandRunway({ le_ident, he_ident, surface, closed }: OurRunway): boolean {
  const forHelicopters = [le_ident, he_ident].some((ident) => /^H|^\d\d?H/i.test(ident))
  return closed === '0' && !forHelicopters && !/water/i.test(surface)
}

const feet = (text: string) => (Number(text) > 0 ? Number(text) : null)

const longestFirst = (a: Runway, b: Runway) =>
  (b.length_ft ?? 0) - (a.length_ft ?? 0) || (a.ident ?? '').localeCompare(b.ident ?? '')

/** Runways as the FAA lists them, longest first; helipads and water runways are excluded. */
export function faaRunways(row: FaaRow): Runway[] {
  return row.runways
    .flatMap((runway) =>
      runway.lengthFt && !/^H/.test(runway.id) && runway.surfaceType !== 'WATER'
        ? [
            {
              ident: runway.id,
              length_ft: runway.lengthFt,
              width_ft: runway.widthFt ?? null,
              surface: runway.surfaceType?.trim() || null,
            },
          ]
        : [],
    )
    .sort(longestFirst)
}
