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
 * document declares at its beginning, else as UTF-8. An unknown charset is ignored; invalid bytes become U+FFFD. Sites also declare
 * wrongly, and a name of a queue that is decoded wrongly is a new queue: the bytes themselves show UTF-8 and what is not UTF-8.
 */
export function decodeBody(body: Uint8Array, content_type: string | null): string {
  const marked = BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, index) => body[index] === byte))?.[1]
  const markedDecoder = decoderFor(marked)
  if (markedDecoder !== null) return markedDecoder.decode(body)
  const decoder = decoderFor(charsetIn(content_type ?? '')) ?? decoderFor(declaredCharset(body)) ?? new TextDecoder()
  if (decoder.encoding.startsWith('utf-16')) return decoder.decode(body)
  const asUtf8 = new TextDecoder().decode(body)
  const isUtf8 = !asUtf8.includes(REPLACEMENT)
  if (isUtf8) return BEYOND_ASCII.test(asUtf8) || decoder.encoding === 'utf-8' ? asUtf8 : decoder.decode(body)
  if (decoder.encoding !== 'utf-8') return decoder.decode(body)
  // Not one letter of UTF-8 beyond ASCII: it is the charset that undeclared pages of the West are in.
  return BEYOND_ASCII.test(asUtf8.replaceAll(REPLACEMENT, '')) ? asUtf8 : new TextDecoder('windows-1252').decode(body)
}

const REPLACEMENT = '\uFFFD'
const BEYOND_ASCII = /[^\0-\x7f]/

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
