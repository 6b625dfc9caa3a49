import type { QueryContext } from '../queries/define.ts'

/** One MCP resource: a document that a client may read into its context, of no airport in particular. */
export interface Resource {
  uri: string
  /** For programs; small letters. */
  name: string
  title: string
  description: string
  mimeType: 'text/markdown' | 'application/json'
  read: (context: Pick<QueryContext, 'snapshot' | 'directory' | 'now'>) => string
}
