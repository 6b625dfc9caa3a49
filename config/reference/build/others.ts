import { z } from 'zod'
import { evidence } from '../evidence.ts'
import type { Peak } from '../peaks.ts'
import type { RelatedServer } from '../related-servers.ts'
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
    if (derived && !derivation) throw new Error(`${name}: derived, and not said how`)
    return { name, start, end, kind, derived: derivation ?? null, facts, note, ...evidence(source, as_of) }
  })
}

const text = z.string().nullable()
const Servers = z.object({
  rows: z.array(
    z.strictObject({
      name: z.string(),
      topic: z.string(),
      use_for: z.string(),
      address: text,
      transport: text,
      auth: text,
      licence: text,
      price: text,
      official: z.boolean(),
      maintained: z.boolean().optional(),
      registry_name: z.string().optional(),
      last_probe: z.string().optional(),
      ...dated,
    }),
  ),
})

export const importRelatedServers = (from: SourceFolder): RelatedServer[] =>
  Servers.parse(from.reference('related-servers.json')).rows.map(
    ({ maintained = null, registry_name = null, last_probe: _probe, seen: _seen, source, as_of, ...server }) => ({
      ...server,
      maintained,
      registry_name,
      ...evidence(source, as_of),
    }),
  )
