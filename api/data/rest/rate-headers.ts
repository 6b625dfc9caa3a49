import type { Standing } from '../gate/admission.ts'

/**
 * The rate headers of an admission: the IETF draft's structured fields (draft-ietf-httpapi-ratelimit-headers) and the
 * X-RateLimit-* that older clients read. Times are seconds from now.
 */
export function rateHeaders({ minute, month }: Standing): Record<string, string> {
  const { limit, remaining, reset_seconds } = minute
  const headers = {
    'ratelimit-policy': `"minute";q=${limit};w=60`,
    ratelimit: `"minute";r=${remaining};t=${reset_seconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset_seconds),
  }
  if (month !== null) {
    headers['ratelimit-policy'] += `, "month";q=${month.limit}`
    headers.ratelimit += `, "month";r=${month.remaining};t=${month.reset_seconds}`
  }
  return headers
}
