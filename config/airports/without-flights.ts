import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { dateWords } from '../date-words.ts'
import { once } from '../once.ts'
import { projectFile } from '../paths.ts'
import { Iata } from '../vocabulary.ts'

const PartialDate = z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/)

/** An airport of the directory without passenger flights, whatever other lists say of it. */
export const AirportWithoutFlights = z.strictObject({
  iata: Iata,
  change: z.enum(['closed', 'suspended']),
  since: PartialDate,
  why: z.string().min(1),
  instead: z.array(Iata).describe('What took its place, or is flown to for it; empty where nothing is.'),
  source: z.string().min(1),
  as_of: PartialDate.nullable().describe('Date of that page; null when it has none.'),
})
type AirportWithoutFlights = z.infer<typeof AirportWithoutFlights>

/** By IATA code; written by hand with their pages. */
export const airportsWithoutFlights = once((): ReadonlyMap<string, AirportWithoutFlights> => {
  const rows = JSON.parse(
    readFileSync(projectFile('config', 'airports', 'without-flights.json'), 'utf8'),
  ) as AirportWithoutFlights[]
  return new Map(rows.map((row) => [row.iata, row]))
})

/** Why an airport has no passenger flights, as a sentence without a full stop; null if it may have some. */
export function noFlightsText(iata: string): string | null {
  const words = noFlightsWords(iata)
  return words === null ? null : `${iata} has had ${words}`
}

/** The same behind a name: `no passenger flights since 6 April 2019: …; instead: IST`. */
export function noFlightsWords(iata: string): string | null {
  const row = airportsWithoutFlights().get(iata)
  if (!row) return null
  const instead = row.instead.length === 0 ? '' : `; instead: ${row.instead.join(' or ')}`
  // Suspended flights may begin again, so the date of the page is given.
  const known = row.change === 'suspended' && row.as_of !== null ? ` (as of ${dateWords(row.as_of)})` : ''
  return `no passenger flights since ${dateWords(row.since)}: ${row.why}${known}${instead}`
}
