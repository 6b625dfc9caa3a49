import type { Admission, Gate } from '../access/gate.ts'
import { monthEnd } from '../access/month-meter.ts'

/**
 * The rate headers of an admission: the IETF draft's structured fields (draft-ietf-httpapi-ratelimit-headers) and the
 * X-RateLimit-* that older clients read. Times are seconds from now.
 */
export function rateHeaders({ key }: Admission, gate: Gate, now: number): Record<string, string> {
  const { window, terms } = key
  const remaining = window.remaining(now)
  const reset = window.resetSeconds(now)
  const headers = {
    'ratelimit-policy': `"minute";q=${window.limit};w=60`,
    ratelimit: `"minute";r=${remaining};t=${reset}`,
    'x-ratelimit-limit': String(window.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  }
  const monthRemaining = gate.monthRemaining(key, now)
  if (monthRemaining !== null) {
    headers['ratelimit-policy'] += `, "month";q=${terms.calls_per_month}`
    headers.ratelimit += `, "month";r=${monthRemaining};t=${Math.ceil((monthEnd(now) - now) / 1000)}`
  }
  return headers
}
