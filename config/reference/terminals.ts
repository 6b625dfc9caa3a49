import { z } from 'zod'
import { Iata } from '../vocabulary.ts'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const ReferenceTerminal = z.strictObject({
  iata: Iata,
  terminal: z.string().min(1).describe('Terminal, concourse or pier, as the source names it.'),
  airlines: foundTexts.describe('Main airlines (IATA codes), never complete; empty when not found.'),
  checkpoints: z.array(
    z.strictObject({
      checkpoint: z.string().min(1),
      lanes: foundTexts.describe('Lanes named in the source; a lane that is not listed may exist.'),
      hours: z.string().nullable().describe('Opening hours; null when not known.'),
      ...Evidence.shape,
    }),
  ),
  note: z.string().nullable(),
  ...Evidence.shape,
})
export type ReferenceTerminal = z.infer<typeof ReferenceTerminal>

/** Terminals with airlines and checkpoints of 60 airports. */
export const TERMINALS = referenceFile('terminals', ReferenceTerminal)
