import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { preflightAnswerer } from '../rest/cors.ts'

const EXPOSED =
  'Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'

/**
 * Lets pages of the origins that `hostGuard` has allowed read the answers. /mcp reads no cookies, so a page can do no more
 * than its key allows, and the browser's credentials are not requested.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  if (origin !== undefined)
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
  done()
}

export const answerPreflight = preflightAnswerer({
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-API-Key, X-Request-Id',
})
