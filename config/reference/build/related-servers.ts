import { z } from 'zod'
import { evidence } from '../evidence.ts'
import type { RelatedServer } from '../related-servers.ts'
import type { SourceFolder } from './source-folder.ts'

const dated = { source: z.string(), as_of: z.string(), seen: z.string() }
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
