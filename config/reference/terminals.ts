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

const FurtherTerminal = ReferenceTerminal.omit({ checkpoints: true }).extend({
  names: foundTexts.describe('Other names that travellers use.'),
})

/** Terminals that the imported file lacks, and other names of those that it has; written by hand with their pages. */
export const FURTHER_TERMINALS = referenceFile('further-terminals', FurtherTerminal)

const ClosedTerminal = z.strictObject({
  iata: Iata,
  terminal: z.string().min(1),
  closed: z
    .string()
    .regex(/^\d{4}(-\d{2}){0,2}$/)
    .nullable()
    .describe('Day, month or year; null where no page says it.'),
  ...Evidence.shape,
})

/** Terminals that closed for good, which guides and old tickets still name. */
export const CLOSED_TERMINALS = referenceFile('closed-terminals', ClosedTerminal)

/** The terminals of an airport that pages name. */
export function pageTerminals(iata: string): readonly ReferenceTerminal[] {
  const imported = TERMINALS.where('iata', iata)
  const isImported = (terminal: string) => imported.some((row) => row.terminal === terminal)
  const further = FURTHER_TERMINALS.where('iata', iata)
    .filter(({ terminal }) => !isImported(terminal))
    .map(({ names: _names, ...row }): ReferenceTerminal => ({ ...row, checkpoints: [] }))
  return imported.concat(further)
}

/** Other names of a terminal that pages name. */
export const otherNamesOf = (iata: string, terminal: string): readonly string[] =>
  FURTHER_TERMINALS.where('iata', iata).find((row) => row.terminal === terminal)?.names ?? []
