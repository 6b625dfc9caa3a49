import type { FastifyRequest } from 'fastify'
import { SCOPE } from './terms.ts'

/** What a 401 of the MCP server says: where its metadata is, and, to a client that brought a credential, that it was no good. */
export function mcpChallenge({ headers }: FastifyRequest, mcp_url: string): string {
  const brought = headers.authorization !== undefined || headers['x-api-key'] !== undefined
  const fault = brought ? 'error="invalid_token", error_description="expired, revoked or not for this server", ' : ''
  // RFC 9728 §3.1: the path of the resource stands behind the well-known one.
  const metadata = `${new URL(mcp_url).origin}/.well-known/oauth-protected-resource/mcp`
  return `Bearer realm="holdshort", ${fault}scope="${SCOPE}", resource_metadata="${metadata}"`
}
