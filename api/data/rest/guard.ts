import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import type { Admission, Gate } from '../gate/admission.ts'
import { looksLikeToken, presentedKey } from '../gate/credentials.ts'
import { rateHeaders } from './rate-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the gate decided, on routes that ask for a key. */
    admission: Admission | null
  }
}

/**
 * The hook that lets only calls with a key through, and puts the rate headers on every answer to one. Access tokens of MCP
 * clients are for the MCP server alone.
 */
export function keyGuard(gate: Gate, clock: () => number, billable: boolean, takesTokens = false) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const now = clock()
    const decided = (admission: Admission) => {
      request.admission = admission
      reply.headers(rateHeaders(admission.standing))
      done(admission.refusal ?? undefined)
    }
    try {
      const presented = presentedKey(request.headers)
      if (!takesTokens && looksLikeToken(presented)) throw tokenElsewhere()
      const admission = gate.admit(presented, now, billable)
      if (admission instanceof Promise) admission.then(decided, done)
      else decided(admission)
    } catch (error) {
      done(error as Error)
    }
  }
}

const tokenElsewhere = () =>
  new HoldshortError('INVALID_API_KEY', 'this is an access token for the MCP server; REST takes API keys')
