import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const text = z.string().nullable()
export const RelatedServer = z.strictObject({
  name: z.string().min(1),
  topic: z.string(),
  use_for: z.string(),
  address: text,
  transport: text,
  auth: text,
  licence: text,
  price: text,
  official: z.boolean(),
  maintained: z.boolean().nullable(),
  registry_name: text,
  ...Evidence.shape,
})
export type RelatedServer = z.infer<typeof RelatedServer>

/** Other MCP servers for travellers. None was called or tested. */
export const RELATED_SERVERS = referenceFile('related-servers', RelatedServer)
