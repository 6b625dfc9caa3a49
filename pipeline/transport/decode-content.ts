import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'

/** The content codings that requests accept. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br'

type Decode = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const unzip: Decode = promisify(gunzip)
const withHeader: Decode = promisify(inflate)
const withoutHeader: Decode = promisify(inflateRaw)

/** Some sites send `deflate` without the header of zlib, against RFC 9110 section 8.4.1.2. The header begins with the method, 8. */
const deflated: Decode = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? withHeader(body, options) : withoutHeader(body, options)

const DECODERS = new Map<string, Decode>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', deflated],
  ['br', promisify(brotliDecompress)],
])

/** Compressions that no request accepts. Other words, such as `utf-8` and `none`, are mistakes for no coding at all. */
const NOT_ACCEPTED = /^(zstd|compress|x-compress|dcb|dcz)$/

/** No site compresses its answer more often. */
const MAX_CODINGS = 3

/**
 * Undoes the content codings of a body. Null when the result would be over `max_bytes`.
 * @throws Error for a body that breaks off or is not coded as its header says
 */
export async function decodeContent(
  body: Uint8Array,
  content_encoding: string | null,
  max_bytes: number,
): Promise<Uint8Array | null> {
  if (content_encoding === null || body.byteLength === 0) return body
  const codings = content_encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => DECODERS.has(coding) || NOT_ACCEPTED.test(coding))
  if (codings.length > MAX_CODINGS) throw new Error(`the body is compressed ${codings.length} times over`)
  let decoded = body
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding)
    if (decode === undefined) throw new Error(`the body is compressed with ${coding}, which was not requested`)
    try {
      decoded = await decode(decoded, { maxOutputLength: max_bytes })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
      throw new Error(`the body is no whole ${coding} as its Content-Encoding says: ${(cause as Error).message}`, {
        cause,
      })
    }
  }
  return decoded
}
