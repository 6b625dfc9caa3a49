import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Admission, Gate } from '../access/admission.ts'
import { presentedKey } from '../access/credentials.ts'
import { rateHeaders } from './rate-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the gate decided, on routes that ask for a key. */
    admission: Admission | null
  }
}

/** The hook that lets only calls with a key through, and puts the rate headers on every answer to one. */
export function keyGuard(gate: Gate, clock: () => number, billable: boolean) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const now = clock()
    const decided = (admission: Admission) => {
      request.admission = admission
      reply.headers(rateHeaders(admission.standing))
      done(admission.refusal ?? undefined)
    }
    try {
      const admission = gate.admit(presentedKey(request.headers), now, billable)
      if (admission instanceof Promise) admission.then(decided, done)
      else decided(admission)
    } catch (error) {
      done(error as Error)
    }
  }
}
