/** Byte order marks: what a body itself says of its encoding goes before every other word of it. */
const MARKS: [bytes: number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** Where HTML and XML look for a charset, as browsers do. */
const HEAD_BYTES = 1_024

/**
 * A body as text: by its byte order mark, else the charset of its Content-Type, else the one that an HTML page or an XML
 * document names at its beginning, else as UTF-8. A charset that nobody knows is passed over; bytes that fit none become U+FFFD.
 */
export function decodeBody(body: Uint8Array, content_type: string | null): string {
  const marked = MARKS.find(([bytes]) => bytes.every((byte, at) => body[at] === byte))?.[1]
  const decoder = decoderOf(marked) ?? decoderOf(charsetIn(content_type ?? '')) ?? decoderOf(charsetNamed(body))
  return (decoder ?? new TextDecoder()).decode(body)
}

const charsetIn = (words: string) => /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(words)?.[1]

/** The charset of a `<meta>` or of an XML declaration; one of UTF-16 cannot be true of bytes in which it could be read. */
function charsetNamed(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, HEAD_BYTES))
  const meta = /<meta\s[^>]*?charset[^>]*>/i.exec(head)?.[0]
  const named =
    meta === undefined ? /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] : charsetIn(meta)
  return named !== undefined && /^utf-?16/i.test(named) ? undefined : named
}

function decoderOf(charset: string | undefined): InstanceType<typeof TextDecoder> | null {
  if (charset === undefined) return null
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
