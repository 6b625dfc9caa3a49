import type { FastifyInstance, FastifySchema } from 'fastify'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'

/** A body that is kept until `version` changes and then made again. */
export function cachedBody(version: () => string, make: (version: string) => ResponseBody): () => ResponseBody {
  let cached: { version: string; body: ResponseBody } | null = null
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
  const body = cachedBody(version, (made) => new ResponseBody(text(), route.type, made, route.headers))
  app.get(route.url, { schema: route.schema ?? {} }, (request, reply) =>
    sendBody(request, reply, body(), `public, max-age=${route.maxAge}`),
  )
}
