import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Body } from './body.ts'
import { negotiateEncoding } from './negotiate.ts'

/**
 * Sends a ready answer: 304 when the caller has it, compressed when that is asked for. A call is billed when it is
 * answered 200 with a body: not for 304, nor for HEAD.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  cacheControl: string,
  endpoint = '',
): FastifyReply {
  const { headers, method, admission } = request
  reply.header('etag', body.etag).header('cache-control', cacheControl)
  reply.header('vary', 'Accept, Accept-Encoding, Authorization, X-API-Key')
  for (const name in body.headers) reply.header(name, body.headers[name])
  if (method !== 'POST' && body.matches(headers['if-none-match'])) {
    admission?.settle(false, endpoint)
    // To HEAD without a body Fastify would add that the length is 0, which is not that of the answer the caller has.
    return reply.code(304).send(method === 'HEAD' ? Readable.from([]) : undefined)
  }
  admission?.settle(method !== 'HEAD', endpoint)
  reply.header('content-type', body.type)
  const encoding = negotiateEncoding(headers['accept-encoding'], body.compressible)
  if (encoding === null) return reply.send(body.plain)
  return reply.header('content-encoding', encoding).send(body.encoded(encoding))
}
