import type { FastifyInstance, onRequestHookHandler } from 'fastify'

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
  addPreflight(app, '/api/*', {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Authorization, X-API-Key, If-None-Match, X-Request-Id',
  })
}

/** Answers the CORS preflights of an address with these headers, before a body is read. Browsers may cache them for a day. */
export function addPreflight(
  app: FastifyInstance,
  url: string,
  headers: Record<string, string>,
  before: onRequestHookHandler[] = [],
): void {
  const answer: onRequestHookHandler = (_request, reply) => {
    reply
      .code(204)
      .headers({ ...headers, 'access-control-max-age': '86400' })
      .send()
  }
  app.options(url, { onRequest: [...before, answer] }, () => undefined)
}

/** The same for what an MCP client in a browser of any origin requests on its way to a token. No cookies are in use. */
export function addPreflightOfClients(app: FastifyInstance, url: string, methods: string): void {
  addPreflight(app, url, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  })
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
