import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding } from './negotiate.ts'
import { negotiateEncoding } from './negotiate.ts'

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1_024

/**
 * Up to this many bytes a body is sent as a string: Node then writes head and body in one piece from a stack buffer
 * (16 KiB at up to 3 bytes per character), which takes an eighth less time than with a Buffer (measured 2026-11-21).
 */
const MAX_STRING_BYTES = 4_096

/** A serialised response body with its type and entity tag. Each compressed form is made once, when first requested. */
export class ResponseBody {
  /** The uncompressed body. */
  readonly plain: string | Buffer
  /** Length of the uncompressed body in bytes. */
  readonly length: number
  readonly type: string
  readonly etag: string
  /** Further headers of the response, such as Link. */
  readonly headers: Record<string, string>
  readonly #encoded = new Map<Encoding, Buffer>()

  /** `version` is the first part of the entity tag: the id of the snapshot from which the body was made. */
  constructor(text: string, type: string, version: string, headers: Record<string, string> = {}) {
    const bytes = Buffer.from(text)
    // Fastify adds a charset to JSON types without one if the body is a string.
    this.plain = bytes.length <= MAX_STRING_BYTES && type.includes('charset=') ? text : bytes
    this.length = bytes.length
    this.type = type
    this.headers = headers
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
    this.etag = `W/"${version}.${digest}"`
  }

  get compressible(): boolean {
    return this.length >= MIN_COMPRESSED_BYTES
  }

  /** The body in a content coding. */
  encoded(encoding: Encoding): Buffer {
    let bytes = this.#encoded.get(encoding)
    if (!bytes) {
      bytes = encoding === 'br' ? brotli(this.plain) : gzipSync(this.plain)
      this.#encoded.set(encoding, bytes)
    }
    return bytes
  }

  /** Whether an If-None-Match header matches the entity tag (weak comparison, RFC 9110 section 13.1.2). */
  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false
    if (ifNoneMatch.trim() === '*') return true
    const opaque = this.etag.slice(2)
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
  }
}

/** Quality 5 of 11: higher levels double the time for a few per cent. */
function brotli(plain: string | Buffer): Buffer {
  return brotliCompressSync(plain, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } })
}

/**
 * Sends a body: 304 when the caller already has it, compressed when the caller accepts that. A call is billed when it is
 * answered 200 with a body, so not for 304 and not for HEAD.
 */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseBody,
  cacheControl: string,
  endpoint = '',
): FastifyReply {
  const { headers, method, admission } = request
  reply.header('etag', body.etag).header('cache-control', cacheControl)
  reply.header('vary', 'Accept, Accept-Encoding, Authorization, X-API-Key')
  for (const name in body.headers) reply.header(name, body.headers[name])
  if (method !== 'POST' && body.matches(headers['if-none-match'])) {
    admission?.settle(false, endpoint)
    // For HEAD without a body Fastify would send Content-Length: 0, which is not the length of the caller's copy.
    return reply.code(304).send(method === 'HEAD' ? Readable.from([]) : undefined)
  }
  admission?.settle(method !== 'HEAD', endpoint)
  reply.header('content-type', body.type)
  const encoding = negotiateEncoding(headers['accept-encoding'], body.compressible)
  if (encoding === null) return reply.send(body.plain)
  return reply.header('content-encoding', encoding).send(body.encoded(encoding))
}
