/** Byte order marks: they take precedence over every other statement of the encoding. */
const BYTE_ORDER_MARKS: [bytes: number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** How many bytes browsers search for the charset of an HTML or XML document. */
const HEAD_BYTES = 1_024

/**
 * Decodes a body by its byte order mark, else by the charset of its Content-Type, else by the charset that an HTML page or an XML
 * document declares at its beginning, else as UTF-8. An unknown charset is ignored; invalid bytes become U+FFFD.
 */
export function decodeBody(body: Uint8Array, content_type: string | null): string {
  const marked = BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, index) => body[index] === byte))?.[1]
  const decoder = decoderFor(marked) ?? decoderFor(charsetIn(content_type ?? '')) ?? decoderFor(declaredCharset(body))
  return (decoder ?? new TextDecoder()).decode(body)
}

const charsetIn = (text: string) => /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1]

/** The charset of a `<meta>` or an XML declaration. A declared UTF-16 is ignored: the declaration was readable as single bytes. */
function declaredCharset(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, HEAD_BYTES))
  const meta = /<meta\s[^>]*?charset[^>]*>/i.exec(head)?.[0]
  const declared =
    meta === undefined ? /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] : charsetIn(meta)
  return declared !== undefined && /^utf-?16/i.test(declared) ? undefined : declared
}

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> | null {
  if (charset === undefined) return null
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
