import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { getOrCreate } from '../../config/once.ts'
import { pngOf } from '../charts/png.ts'

const MAX_BYTES = 24 * 1_048_576

const made = new LRUCache<string, Buffer>({ maxSize: MAX_BYTES, sizeCalculation: (png) => png.length })
const inProgress = new Map<string, Promise<Buffer>>()

/** The PNG of an SVG, made once for each SVG while it is kept, also when several ask for it at once. */
export async function cachedPng(svg: string): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('base64url')
  const known = made.get(key)
  if (known) return known
  const png = await getOrCreate(inProgress, key, () => pngOf(svg, 1).finally(() => inProgress.delete(key)))
  made.set(key, png)
  return png
}
