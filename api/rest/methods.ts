import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { HoldshortError } from '../../config/errors.ts'

export const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** The answer to an unknown address. */
export const nothingAt = ({ url }: FastifyRequest) =>
  new HoldshortError('NOT_FOUND', `there is nothing at ${url.split('?')[0]}`)

/**
 * Watches which methods each address gets, and returns a function that, called when all routes are there, answers
 * every other method of a known address with 405 and `Allow`, and an unknown address with 404.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name.toUpperCase())
    known.set(url, methods)
  })
  app.setNotFoundHandler((request) => {
    throw nothingAt(request)
  })
  return () => {
    for (const [url, methods] of [...known]) {
      const others = METHODS.filter(
        (method) => !methods.has(method) && !(method === 'OPTIONS' && url.startsWith('/api/')),
      )
      const allow = [...methods, ...(url.startsWith('/api/') ? ['OPTIONS'] : [])].join(', ')
      if (url.includes('*') || others.length === 0) continue
      app.route({
        method: others,
        url,
        schema: { hide: true },
        // Refused before a body is looked at.
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow)
          done(new HoldshortError('METHOD_NOT_ALLOWED', `this address takes ${allow}`))
        },
        handler: () => undefined,
      })
    }
  }
}
