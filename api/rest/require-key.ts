import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Admission, Gate } from '../gate/admission.ts'
import { looksLikeToken, presentedCredential, unauthorized } from '../gate/credentials.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The gate's decision, on routes that require a key; null on others and before the decision. */
    admission: Admission | null
  }
}

/**
 * A hook that requires a valid key and adds the rate limit headers to the response. Access tokens of MCP clients are
 * accepted only with `takesTokens`, which the MCP server sets.
 */
export function requireKey(gate: Gate, clock: () => number, billable: boolean, takesTokens = false) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const now = clock()
    const decided = (admission: Admission) => {
      request.admission = admission
      reply.headers(rateHeaders(admission))
      done(admission.refusal ?? undefined)
    }
    try {
      const presented = takesTokens ? keyOrToken(request.headers) : keyOnly(request.headers)
      const admission = gate.admit(presented, now, billable)
      if (admission instanceof Promise) admission.then(decided, done)
      else decided(admission)
    } catch (error) {
      done(error as Error)
    }
  }
}

/** The key of a request to the REST API. @throws HoldshortError INVALID_API_KEY */
function keyOnly(headers: IncomingHttpHeaders): string {
  const presented = presentedCredential(headers)
  if (!looksLikeToken(presented)) return presented
  throw unauthorized('this is an access token for the MCP server; the REST API requires an API key')
}

/** The key or the access token of a request to the MCP server. @throws HoldshortError INVALID_API_KEY */
function keyOrToken(headers: IncomingHttpHeaders): string {
  const presented = presentedCredential(headers)
  if (headers.authorization !== undefined || !looksLikeToken(presented)) return presented
  // OAuth has one header for tokens (RFC 6750), which proxies and logs know to protect.
  throw unauthorized('an access token belongs into Authorization: Bearer <token>; X-API-Key takes API keys')
}

/**
 * The rate limit headers: the structured fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers) with every limit, and
 * the X-RateLimit-* headers that older clients read, with one limit: that of the minute, or the one that refused the call.
 * Times are seconds from now.
 */
function rateHeaders({ quotas, refusal }: Pick<Admission, 'quotas' | 'refusal'>): Record<string, string> {
  const { minute, month } = quotas
  const limit = refusal?.scope === 'month' && month !== null ? month : minute
  const headers = {
    'ratelimit-policy': `"minute";q=${minute.limit};w=60`,
    ratelimit: `"minute";r=${minute.remaining};t=${minute.reset_seconds}`,
    'x-ratelimit-limit': String(limit.limit),
    'x-ratelimit-remaining': String(limit.remaining),
    'x-ratelimit-reset': String(limit.reset_seconds),
  }
  if (month !== null) {
    headers['ratelimit-policy'] += `, "month";q=${month.limit}`
    headers.ratelimit += `, "month";r=${month.remaining};t=${month.reset_seconds}`
  }
  return headers
}
