import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** The error of a request for an unknown path. */
export function notFoundError(request: FastifyRequest): HoldshortError {
  const path = withoutMarkup(pathOf(request))
  const what = path.endsWith('.png') ? '; charts are files that end in .svg, .csv and .json' : ''
  return new HoldshortError('NOT_FOUND', `there is nothing at ${path}${what}`)
}

interface KnownRoute {
  pattern: RegExp
  allow: string
}

/** The page that a request means by its address with a slash at the end, as people write it; null for REST, whose paths are as OpenAPI has them. */
function pageMeant(request: FastifyRequest, path: string, routes: readonly KnownRoute[]): string | null {
  if (!path.endsWith('/') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  // What lies below a folder of files is no page.
  if (request.routeOptions.url?.endsWith('*')) return null
  const page = path.slice(0, -1)
  // A browser would take two slashes for another host.
  if (!/^\/[^/\\]/.test(page) || page.startsWith('/api/') || page.endsWith('/')) return null
  return routes.some(({ pattern, allow }) => pattern.test(page) && allow.includes('GET')) ? page : null
}

/**
 * Answers requests that no route is meant for, before their body is read: 308 to the page that is meant, 405 with `Allow` for another method of a known path
 * (also for a method that HTTP does not define), 404 for an unknown path. The known routes are those that exist when the
 * returned function is called.
 */
export function rejectUnknownRoutes(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>()
  let knownRoutes: KnownRoute[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const methods = getOrCreate(methodsByUrl, url, () => new Set())
    for (const name of [method].flat()) methods.add(name.toUpperCase())
  })
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request)
    const page = pageMeant(request, path, knownRoutes)
    if (page !== null) return reply.redirect(page + request.url.slice(path.length), 308)
    // GET /airports/bulk is a wrong method, although /airports/{iata} would match it.
    const allowed = methodsByUrl.get(path)
    const isOfAnotherMethod = allowed !== undefined && !allowed.has(request.method) && request.method !== 'OPTIONS'
    if (!request.is404 && !isOfAnotherMethod) return done()
    const route = knownRoutes.find(({ pattern }) => pattern.test(path))
    if (!route) return done(notFoundError(request))
    reply.header('allow', route.allow)
    done(new HoldshortError('METHOD_NOT_ALLOWED', `this address accepts ${route.allow}`))
  })
  // Fastify leaves the body of HEAD out where a route has it; here none has.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'HEAD' || !request.is404 || typeof payload !== 'string') return done(null, payload)
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, null)
  })
  app.setNotFoundHandler((request) => {
    throw notFoundError(request)
  })
  return () => {
    const isExact = (url: string) => Number(!url.includes(':'))
    knownRoutes = [...methodsByUrl]
      .sort(([path], [other]) => isExact(other) - isExact(path))
      // One that only answers preflights says nothing about which paths exist.
      .filter(([, methods]) => methods.has('GET') || methods.has('POST') || methods.has('DELETE'))
      .map(([url, methods]) => ({
        pattern: new RegExp(`^${url.replaceAll('.', '\\.').replace('*', '.*').replace(/:\w+/g, '[^/]*')}$`),
        allow: [...methods, ...(url.startsWith('/api/') ? ['OPTIONS'] : [])].join(', '),
      }))
  }
}
