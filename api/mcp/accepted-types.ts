import { negotiateType } from '../rest/negotiate.ts'

/** The types of the transport that a client reads. */
export interface AcceptedTypes {
  json: boolean
  eventStream: boolean
}

/**
 * The types that an Accept header allows. The protocol requires clients to name both. A wildcard, which most HTTP clients
 * send by default, and a missing header allow both as well. A client that reads only one type gets that one.
 */
export function acceptedTypes(accept: string | undefined): AcceptedTypes {
  return {
    json: negotiateType(accept, ['application/json']) !== null,
    eventStream: negotiateType(accept, ['text/event-stream']) !== null,
  }
}
