import { z } from 'zod'

/** Which way a border queue leads: into the Schengen area, out of it, or its source does not say. */
export const BorderDirection = z.enum(['entry', 'exit', 'unknown'])
export type BorderDirection = z.infer<typeof BorderDirection>

// English and the languages of the airports’ own pages; Zurich writes "Arrival E" and "Departure D" (seen 2026-09).
const ENTRY = /\b(arrivals?|entry|einreise|ankunft|arriv[ée]es?|entr[ée]e|llegadas?|entrada|arrivi|ingresso)\b/i
const EXIT = /\b(departures?|exit|emigration|ausreise|abflug|d[ée]parts?|sortie|salidas?|salida|partenze|uscita)\b/i

/** The direction that the name of a queue states; a name that states none, or both, is `unknown`, never guessed. */
export function borderDirection(terminal: string, checkpoint: string): BorderDirection {
  const name = `${terminal} ${checkpoint}`
  const [entry, exit] = [ENTRY.test(name), EXIT.test(name)]
  if (entry === exit) return 'unknown'
  return entry ? 'entry' : 'exit'
}
