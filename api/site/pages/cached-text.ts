import type { FastifyInstance, FastifySchema } from 'fastify'
import { Body } from '../../data/rest/body.ts'
import { sendBody } from '../../data/rest/send.ts'

/** A body that is kept until `version` changes and then made again. */
export function cachedBody(version: () => string, make: (version: string) => Body): () => Body {
  let cached: { version: string; body: Body } | null = null
  return () => {
    const current = version()
    if (cached?.version !== current) cached = { version: current, body: make(current) }
    return cached.body
  }
}

interface TextRoute {
  url: string
  type: string
  headers?: Record<string, string>
  /** Seconds that a cache may keep the answer. */
  maxAge: number
  schema?: FastifySchema
}

/** Serves a text that is made again whenever `version` changes. It needs no key, and any cache may keep it. */
export function addCachedText(app: FastifyInstance, route: TextRoute, version: () => string, text: () => string): void {
  const body = cachedBody(version, (made) => new Body(text(), route.type, made, route.headers))
  app.get(route.url, { schema: route.schema ?? { hide: true } }, (request, reply) =>
    sendBody(request, reply, body(), `public, max-age=${route.maxAge}`),
  )
}
