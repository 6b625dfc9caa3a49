import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../config/json-object.ts'

/** The MCP Apps extension (spec 2026-01-26): how a client says that it shows pictures. Every other client gets none of it. */

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
export const VIEW_TYPE = 'text/html;profile=mcp-app'

/** The needs of a picture in a host: a border, and no address. */
export const VIEW_META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const SESSION_PREFIX = 'views-'

type Fields = Record<string, unknown>
const fields = (value: unknown): Fields => (isObject(value) ? value : {})

/**
 * Whether the client of a request shows pictures. Since 2026-07-28 every request names the client's capabilities. Earlier
 * protocols name them only in `initialize`: its answer then has a session id that says so, which the client sends from there on,
 * so that the server still keeps no state.
 */
export function showsViews(message: unknown, headers: IncomingHttpHeaders): boolean {
  const { method, params } = fields(message)
  const { capabilities, _meta } = fields(params)
  if (method === 'initialize') return hasExtension(capabilities)
  if (hasExtension(fields(_meta)[CLIENT_CAPABILITIES])) return true
  const session = headers['mcp-session-id']
  return typeof session === 'string' && session.startsWith(SESSION_PREFIX)
}

function hasExtension(capabilities: unknown): boolean {
  const { mimeTypes } = fields(fields(fields(capabilities).extensions)[APPS_EXTENSION])
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE)
}

/** The headers of the answer to `initialize` of a client that shows pictures. */
export const sessionHeaders = () => ({ 'mcp-session-id': `${SESSION_PREFIX}${randomUUID()}` })
