/** One entry of an Accept or Accept-Encoding header. */
interface Preference {
  value: string
  quality: number
}

function preferences(header: string): Preference[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { value, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
}

/** How much a header wants a media type: the most specific entry that fits decides; 0 when none does. */
function qualityOf(type: string, wanted: Preference[]): number {
  for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = wanted.find(({ value }) => value === pattern)
    if (found) return found.quality
  }
  return 0
}

/** The offered media type that an Accept header likes best, the first of equals; null when it takes none of them. */
export function negotiateType<T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  if (header === undefined || header === '*/*' || header === '') return offered[0] ?? null
  const wanted = preferences(header)
  let best: T | null = null
  let bestQuality = 0
  for (const type of offered) {
    const quality = qualityOf(type, wanted)
    if (quality > bestQuality) {
      best = type
      bestQuality = quality
    }
  }
  return best
}

export type Encoding = 'br' | 'gzip'

/**
 * The content coding to answer with; null for none. Of equals br wins, being smaller. What is not `worthwhile` to
 * compress is compressed for those only who refuse it plain; who takes nothing at all gets it plain (RFC 9110, 12.5.3).
 */
export function negotiateEncoding(header: string | undefined, worthwhile: boolean): Encoding | null {
  if (header === undefined || header === '' || header === 'identity') return null
  const wanted = preferences(header)
  const listed = (coding: string) => wanted.find(({ value }) => value === coding)?.quality
  const others = listed('*')
  const [br, gzip] = [listed('br') ?? others ?? 0, listed('gzip') ?? others ?? 0]
  const best = Math.max(br, gzip)
  const plain = listed('identity') ?? (others === 0 ? 0 : undefined)
  if (best === 0 || (plain ?? 0) > best || (!worthwhile && plain !== 0)) return null
  return br >= gzip ? 'br' : 'gzip'
}
