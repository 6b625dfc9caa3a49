import { z } from 'zod'

/** The digest of a content. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A path within the data folder, with `/`, which can never lead out of it. */
export const InnerPath = z
  .string()
  .refine(
    (path) => path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\\0]/.test(name)),
    { error: 'leads out of the data folder' },
  )
