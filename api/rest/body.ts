import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { Encoding } from './negotiate.ts'

/** Below this many bytes compression costs more than it saves. */
const SMALLEST_COMPRESSED = 1_024

/** An answer ready to be sent: bytes, type, entity tag, and its compressed forms, each made once when first asked for. */
export class Body {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  /** Further headers that belong to this answer, such as Link. */
  readonly headers: Record<string, string>
  readonly #encoded = new Map<Encoding, Buffer>()

  /** `version` leads the entity tag: the snapshot the answer was made from. */
  constructor(text: string, type: string, version: string, headers: Record<string, string> = {}) {
    this.bytes = Buffer.from(text)
    this.type = type
    this.headers = headers
    const digest = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 16)
    this.etag = `W/"${version}.${digest}"`
  }

  get compressible(): boolean {
    return this.bytes.length >= SMALLEST_COMPRESSED
  }

  /** The bytes in a content coding. */
  encoded(encoding: Encoding): Buffer {
    let bytes = this.#encoded.get(encoding)
    if (!bytes) {
      bytes = encoding === 'br' ? brotli(this.bytes) : gzipSync(this.bytes)
      this.#encoded.set(encoding, bytes)
    }
    return bytes
  }

  /** Whether an If-None-Match header names this answer (weak comparison, RFC 9110 section 13.1.2). */
  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false
    if (ifNoneMatch.trim() === '*') return true
    const opaque = this.etag.slice(2)
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
  }
}

/** Quality 5 of 11: beyond it time doubles for a few per cent. */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } })
}
