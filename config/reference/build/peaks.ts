import { z } from 'zod'
import { evidence } from '../evidence.ts'
import type { Peak } from '../peaks.ts'
import type { SourceFolder } from './source-folder.ts'

const dated = { source: z.string(), as_of: z.string(), seen: z.string() }

const Peaks = z.object({
  rows: z.array(
    z.strictObject({
      name: z.string(),
      start: z.string().nullable(),
      end: z.string().nullable(),
      kind: z.string(),
      derived: z.boolean().optional(),
      derivation: z.string().optional(),
      note: z.string().optional(),
      ...dated,
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])).optional(),
    }),
  ),
})

export function importPeaks(from: SourceFolder): Peak[] {
  return Peaks.parse(from.reference('peaks.json')).rows.map((row) => {
    const { name, start, end, kind, derived, derivation, facts = {}, note = null, source, as_of } = row
    if (derived && !derivation) throw new Error(`${name}: derived without a derivation`)
    return { name, start, end, kind, derived: derivation ?? null, facts, note, ...evidence(source, as_of) }
  })
}
