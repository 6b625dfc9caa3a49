import type { FastifyInstance } from 'fastify'

const EXPOSED =
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization, X-API-Key, If-None-Match, X-Request-Id',
  'access-control-max-age': '86400',
}

/**
 * Lets pages of any origin read with a key: no cookies are in use, so a foreign page can do no more than its key.
 * Only reading is open; registering and revoking are not for other people's pages.
 */
export function allowCrossOriginReads(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== undefined && request.url.startsWith('/api/') && isRead(request.method))
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED })
    done()
  })
  app.options('/api/*', {
    schema: { hide: true },
    // Answered before a body is looked at: a preflight has none that matters.
    onRequest: (_request, reply) => {
      reply.code(204).headers(PREFLIGHT).send()
    },
    handler: () => undefined,
  })
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
