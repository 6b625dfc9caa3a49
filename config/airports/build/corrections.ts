import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'
import { Airport } from '../directory.ts'

/** One of this project's corrections: fields to set or a row to drop, with the reason and its source. */
const Correction = z.strictObject({
  iata: Airport.shape.iata,
  set: Airport.omit({ iata: true }).partial().optional(),
  drop: z.literal(true).optional(),
  why: z.string().min(10),
  source: z.string().min(4),
})

/**
 * Applies config/airports/corrections.json to the built list.
 * @throws when a correction names an airport that is not in the packages any more; then the correction must be reviewed
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
