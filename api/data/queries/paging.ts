import { z } from 'zod'

/** The parameters of a page, and what is said of it: the same on every listing. */

export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Page size.')
    .meta({ examples: [50] }),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Page number; past the last page `data` is empty.')
    .meta({ examples: [1] }),
}

export const Pagination = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1),
  total: z.int().min(0).describe('Airports that match.'),
  total_pages: z.int().min(0),
})

/** One page of what was found. */
export function pageOf<T>(found: readonly T[], { limit, page }: { limit: number; page: number }) {
  const total = found.length
  return {
    rows: found.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total, total_pages: Math.ceil(total / limit) },
  }
}
