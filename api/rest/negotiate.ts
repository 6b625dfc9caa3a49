import { LRUCache } from 'lru-cache'

/** One entry of an Accept or Accept-Encoding header. */
interface Preference {
  value: string
  quality: number
}

/** No client names more types; each is compared. */
const MAX_PREFERENCES = 64

/** Clients send few different headers, and an MCP call looks at one four times. Longer ones are not kept. */
const MAX_KEPT_CHARACTERS = 200
const cached = new LRUCache<string, readonly Preference[]>({ max: 100 })

function preferences(header: string): readonly Preference[] {
  const known = cached.get(header)
  if (known) return known
  const read = readPreferences(header)
  if (header.length <= MAX_KEPT_CHARACTERS) cached.set(header, read)
  return read
}

function readPreferences(header: string): Preference[] {
  return header.split(',', MAX_PREFERENCES).map((part) => {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { value, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
}

/** The quality of a media type in an Accept header: that of the most specific matching entry; 0 when none matches. */
function qualityOf(type: string, preferred: readonly Preference[]): number {
  for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = preferred.find(({ value }) => value === pattern)
    if (found) return found.quality
  }
  return 0
}

/**
 * The offered media type with the highest quality in an Accept header, the first offered of equals; null when none is
 * acceptable. Parameters of media types are ignored: many clients send `application/json; charset=utf-8`.
 */
export function negotiateType<T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  if (header === undefined || header === '*/*' || header === '') return offered[0] ?? null
  const preferred = preferences(header)
  let best: T | null = null
  let bestQuality = 0
  for (const type of offered) {
    const quality = qualityOf(type, preferred)
    if (quality > bestQuality) {
      best = type
      bestQuality = quality
    }
  }
  return best
}

export type Encoding = 'br' | 'gzip'

/**
 * The content coding of the response; null for none. If both are equal, br is used, because it is smaller. A body that is not
 * `worthwhile` to compress is compressed only if the client refuses `identity`; a client that accepts nothing gets the
 * uncompressed body (RFC 9110, 12.5.3).
 */
export function negotiateEncoding(header: string | undefined, worthwhile: boolean): Encoding | null {
  if (header === undefined || header === '' || header === 'identity') return null
  const preferred = preferences(header)
  const qualityOfCoding = (coding: string) => preferred.find(({ value }) => value === coding)?.quality
  const others = qualityOfCoding('*')
  const br = qualityOfCoding('br') ?? others ?? 0
  const gzip = qualityOfCoding('gzip') ?? others ?? 0
  const best = Math.max(br, gzip)
  const identity = qualityOfCoding('identity') ?? (others === 0 ? 0 : undefined)
  if (best === 0 || (identity ?? 0) > best || (!worthwhile && identity !== 0)) return null
  return br >= gzip ? 'br' : 'gzip'
}
