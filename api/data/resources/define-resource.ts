import type { QueryContext } from '../queries/define.ts'

/** One MCP resource: a document that a client may read into its context; it belongs to no particular airport. */
export interface Resource {
  uri: string
  /** Identifier in lower case. */
  name: string
  title: string
  description: string
  mimeType: 'text/markdown' | 'application/json'
  /** What `read` needs of a snapshot when that takes long to make; it awaits `nextSlice` between its parts. */
  prepare?: (context: Pick<QueryContext, 'snapshot' | 'directory'>) => Promise<void>
  read: (context: Pick<QueryContext, 'snapshot' | 'directory' | 'now'>) => string
}
