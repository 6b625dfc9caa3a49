import { z } from 'zod'

/** The direction of a border queue: into the Schengen area, out of it, or `unknown` when its source does not say. */
export const BorderDirection = z.enum(['entry', 'exit', 'unknown'])
export type BorderDirection = z.infer<typeof BorderDirection>

// English and the languages of the airports’ own pages; Zurich writes "Arrival E" and "Departure D" (seen 2026-09).
const ENTRY = /\b(arrivals?|entry|einreise|ankunft|arriv[ée]es?|entr[ée]e|llegadas?|entrada|arrivi|ingresso)\b/i
const EXIT = /\b(departures?|exit|emigration|ausreise|abflug|d[ée]parts?|sortie|salidas?|salida|partenze|uscita)\b/i

/** The direction named by a queue's terminal and checkpoint; `unknown` when the names contain no direction or both. */
export function borderDirection(terminal: string, checkpoint: string): BorderDirection {
  const name = `${terminal} ${checkpoint}`
  const entry = ENTRY.test(name)
  const exit = EXIT.test(name)
  if (entry === exit) return 'unknown'
  return entry ? 'entry' : 'exit'
}
