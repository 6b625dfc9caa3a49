import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** The digest of a content. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const sha256Of = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

/** The digest of a file of any size. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** A path within the data folder, with `/`, which can never lead out of it. */
export const InnerPath = z
  .string()
  .refine(
    (path) => path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\\0]/.test(name)),
    { error: 'leads out of the data folder' },
  )
