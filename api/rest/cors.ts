import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED =
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'

/**
 * Lets pages of any origin read the REST API with a key. No cookies are in use, so a foreign page can do no more than its
 * key allows. Only reading is allowed, not registering or revoking.
 */
export function allowCrossOriginReads(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== undefined && request.url.startsWith('/api/') && isRead(request.method))
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED })
    done()
  })
  app.options('/api/*', {
    schema: { hide: true },
    onRequest: preflightAnswerer({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Authorization, X-API-Key, If-None-Match, X-Request-Id',
    }),
    handler: () => undefined,
  })
}

/** A hook that answers a CORS preflight with these headers, before a body is read. Browsers may cache it for a day. */
export function preflightAnswerer(headers: Record<string, string>) {
  return (_request: FastifyRequest, reply: FastifyReply, _done: () => void): void => {
    reply
      .code(204)
      .headers({ ...headers, 'access-control-max-age': '86400' })
      .send()
  }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
