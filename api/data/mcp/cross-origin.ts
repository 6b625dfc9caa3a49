import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-API-Key, X-Request-Id',
  'access-control-max-age': '86400',
}

const EXPOSED =
  'RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'

/**
 * Lets pages of the origins that `hostGuard` has let through read the answers. No cookie counts at /mcp, so a page can do no
 * more than its key; credentials of the browser are not asked for.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  if (origin !== undefined)
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
  done()
}

/** Answers a preflight, before a body is looked at. */
export function answerPreflight(_request: FastifyRequest, reply: FastifyReply): void {
  reply.code(204).headers(PREFLIGHT).send()
}
