import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'
import { Airport } from '../directory.ts'
import { SOURCES } from './sources.ts'

/**
 * One of this project's corrections: a row to drop, the source whose place is right where sources disagree, or fields to set;
 * with the reason and its source.
 */
const Correction = z.strictObject({
  iata: Airport.shape.iata,
  from: z.enum(SOURCES).optional(),
  set: Airport.omit({ iata: true }).partial().optional(),
  drop: z.literal(true).optional(),
  why: z.string().min(10),
  source: z.string().min(4),
})

type Correction = z.infer<typeof Correction>

/** The corrections of config/airports/corrections.json by code. */
export function readCorrections(): Map<string, Correction> {
  const text = readFileSync(projectFile('config', 'airports', 'corrections.json'), 'utf8')
  const corrections = z.array(Correction).parse(JSON.parse(text))
  return new Map(corrections.map((correction) => [correction.iata, correction]))
}

/**
 * Applies the corrections to the built list.
 * @throws when a correction names an airport that is not in the packages any more; then the correction must be reviewed
 */
export function applyCorrections(airports: Map<string, Airport>, corrections: ReadonlyMap<string, Correction>): void {
  for (const [iata, { set, drop }] of corrections) {
    const airport = airports.get(iata)
    if (!airport) throw new Error(`corrections.json: ${iata} is not in the packages`)
    if (drop) airports.delete(iata)
    else Object.assign(airport, set)
  }
}
