import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!

/** The answer to an unknown address. */
export const notFoundError = (request: FastifyRequest) =>
  new HoldshortError('NOT_FOUND', `there is nothing at ${pathOf(request)}`)

interface Place {
  pattern: RegExp
  allow: string
}

/**
 * Answers what no route takes, before a body is looked at: any other method of a known address, one that nobody has
 * heard of too, with 405 and `Allow`, an unknown address with 404. Known are those there when the returned function
 * is called.
 */
export function rejectUnknownRoutes(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  let places: Place[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name.toUpperCase())
    known.set(url, methods)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const place = places.find(({ pattern }) => pattern.test(pathOf(request)))
    if (!place) return done(notFoundError(request))
    reply.header('allow', place.allow)
    done(new HoldshortError('METHOD_NOT_ALLOWED', `this address takes ${place.allow}`))
  })
  app.setNotFoundHandler((request) => {
    throw notFoundError(request)
  })
  return () => {
    places = [...known]
      .filter(([url]) => !url.includes('*'))
      .map(([url, methods]) => ({
        pattern: new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]*')}$`),
        allow: [...methods, ...(url.startsWith('/api/') ? ['OPTIONS'] : [])].join(', '),
      }))
  }
}
