import type { FastifyInstance } from 'fastify'
import { Body } from '../rest/body.ts'
import { sendBody } from '../rest/send.ts'

/** Serves a text that is made anew whenever `version` changes. It needs no key and may be cached by anyone. */
export function addText(
  app: FastifyInstance,
  place: { url: string; type: string; headers?: Record<string, string>; maxAge: number },
  version: () => string,
  text: () => string,
): void {
  let made: { version: string; body: Body } | null = null
  app.get(place.url, { schema: { hide: true } }, (request, reply) => {
    const wanted = version()
    if (made?.version !== wanted) made = { version: wanted, body: new Body(text(), place.type, wanted, place.headers) }
    return sendBody(request, reply, made.body, `public, max-age=${place.maxAge}`)
  })
}
