import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzip, gzipSync, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextSlice } from '../../answers/slices.ts'
import { getOrCreate } from '../../config/once.ts'
import { isKnown } from './entity-tags.ts'
import type { Encoding } from './negotiate.ts'
import { negotiateEncoding } from './negotiate.ts'

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1_024

/**
 * Up to this many bytes a body is sent as a string: Node then writes head and body in one piece from a stack buffer
 * (16 KiB at up to 3 bytes per character), which takes an eighth less time than with a Buffer (measured 2026-11-21).
 */
const MAX_STRING_BYTES = 4_096

/** Longer bodies are compressed by the threads of Node: the event loop would stand still for milliseconds. */
const MAX_SYNC_COMPRESSION_BYTES = 32_768

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
  readonly #encoded = new Map<Encoding, Buffer | Promise<Buffer>>()

  /** `version` is the first part of the entity tag: the id of the snapshot from which the body was made. */
  constructor(
    content: string | Buffer | HashedBytes,
    type: string,
    version: string,
    headers: Record<string, string> = {},
  ) {
    const { bytes, digest } = typeof content === 'string' || Buffer.isBuffer(content) ? hashedBytes(content) : content
    // Fastify adds a charset to JSON types without one if the body is a string.
    const isShort = typeof content === 'string' && bytes.length <= MAX_STRING_BYTES && type.includes('charset=')
    this.plain = isShort ? content : bytes
    this.length = bytes.length
    this.type = type
    this.headers = headers
    this.etag = `W/"${version}.${digest}"`
  }

  get compressible(): boolean {
    return this.length >= MIN_COMPRESSED_BYTES && this.type !== 'image/png'
  }

  /** The body in a content coding; a promise where making it takes long. */
  encoded(encoding: Encoding): Buffer | Promise<Buffer> {
    const make = this.length > MAX_SYNC_COMPRESSION_BYTES ? compressLong : compress
    return getOrCreate(this.#encoded, encoding, () => make(this.plain, encoding))
  }
}

/** The bytes of a body with their digest. */
export interface HashedBytes {
  bytes: Buffer
  digest: string
}

/** No hyphen may end it: it would look like a part that a proxy appends to a tag. */
const shortDigest = (hash: Hash) => hash.digest('hex').slice(0, 24)

function hashedBytes(content: string | Buffer): HashedBytes {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes, digest: shortDigest(createHash('sha256').update(bytes)) }
}

/** The bytes of a long body, made of its parts in slices. */
export async function hashedInSlices(parts: Iterable<string>): Promise<HashedBytes> {
  const hash = createHash('sha256')
  const made: Buffer[] = []
  for (const part of parts) {
    const bytes = Buffer.from(part)
    hash.update(bytes)
    made.push(bytes)
    await nextSlice()
  }
  return { bytes: Buffer.concat(made), digest: shortDigest(hash) }
}

/** Quality 5 of 11: higher levels double the time for a few per cent. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }

const compress = (plain: string | Buffer, encoding: Encoding) =>
  encoding === 'br' ? brotliCompressSync(plain, BROTLI) : gzipSync(plain)

const compressLong = (plain: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? promisify(brotliCompress)(plain, BROTLI) : promisify(gzip)(plain)

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
  if (method !== 'POST' && isKnown(headers['if-none-match'], body.etag)) {
    admission?.settle(false, endpoint)
    // For HEAD without a body Fastify would send Content-Length: 0, which is not the length of the caller's copy.
    return reply.code(304).send(method === 'HEAD' ? Readable.from([]) : undefined)
  }
  admission?.settle(method !== 'HEAD', endpoint)
  reply.header('content-type', body.type)
  const encoding = negotiateEncoding(headers['accept-encoding'], body.compressible)
  if (encoding === null) return reply.send(body.plain)
  return sendEncoded(reply, body, encoding)
}

/** Sends a body in a content coding, at once or when it is made. */
function sendEncoded(reply: FastifyReply, body: ResponseBody, encoding: Encoding): FastifyReply {
  reply.header('content-encoding', encoding)
  const bytes = body.encoded(encoding)
  if (!(bytes instanceof Promise)) return reply.send(bytes)
  bytes.then(
    (made) => reply.send(made),
    (error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}
