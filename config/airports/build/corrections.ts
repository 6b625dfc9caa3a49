import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'
import { Airport } from '../directory.ts'

/** One of our own corrections: what to set, or that the row must go, and how we know. */
const Correction = z.strictObject({
  iata: Airport.shape.iata,
  set: Airport.omit({ iata: true }).partial().optional(),
  drop: z.literal(true).optional(),
  why: z.string().min(10),
  source: z.string().min(4),
})

/**
 * Applies config/airports/corrections.json to the built list.
 * @throws when a correction names an airport that is not there: then the packages have moved on and it must be looked at
 */
export function applyCorrections(airports: Map<string, Airport>): number {
  const text = readFileSync(projectFile('config', 'airports', 'corrections.json'), 'utf8')
  const corrections = z.array(Correction).parse(JSON.parse(text))
  for (const { iata, set, drop } of corrections) {
    const airport = airports.get(iata)
    if (!airport) throw new Error(`corrections.json: ${iata} is not in the packages`)
    if (drop) airports.delete(iata)
    else Object.assign(airport, set)
  }
  return corrections.length
}
