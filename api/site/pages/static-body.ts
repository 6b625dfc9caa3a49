import type { FastifyInstance, FastifySchema } from 'fastify'
import { ResponseBody, sendBody } from '../../data/rest/response-body.ts'

/** A body that is made anew whenever `version` changes. */
export function remade(version: () => string, make: (version: string) => ResponseBody): () => ResponseBody {
  let made: { version: string; body: ResponseBody } | null = null
  return () => {
    const wanted = version()
    if (made?.version !== wanted) made = { version: wanted, body: make(wanted) }
    return made.body
  }
}

/** Serves a text that is made anew whenever `version` changes. It needs no key and may be cached by anyone. */
export function addText(
  app: FastifyInstance,
  place: { url: string; type: string; headers?: Record<string, string>; maxAge: number; schema?: FastifySchema },
  version: () => string,
  text: () => string,
): void {
  const body = remade(version, (made) => new ResponseBody(text(), place.type, made, place.headers))
  app.get(place.url, { schema: place.schema ?? { hide: true } }, (request, reply) =>
    sendBody(request, reply, body(), `public, max-age=${place.maxAge}`),
  )
}
