import type { z } from 'zod'
import { type ErrorCode, HoldshortError } from '../../config/errors.ts'
import { rejectOnAbort } from '../reject-on-abort.ts'

/**
 * A call from one process to another: the api or the command line sends a request and the pipeline answers it. A call is
 * declared once; the transports in jobs/transports/ carry any declared call.
 */
export interface Call<Request, Answer> {
  /** Path on the socket and name of the queue in Redis. */
  name: string
  request: z.ZodType<Request>
  answer: (request: Request) => z.ZodType<Answer>
  /** The caller waits no longer than this, all retries and connecting included. */
  timeout_ms: number
  max_request_bytes: number
  /** How many requests one pipeline process takes from Redis at a time. */
  redis_concurrency: number
  /** Over Redis, requests with the same key that are under way at the same time share one job. */
  deduplicationKey?: (request: Request) => string
  /** The code of the error when no answer came. */
  unavailable_code: ErrorCode
  /** The parts that still work without an answer: the second half of the error message, which clients see. */
  unavailable_effect: string
}

/** Declares a call; the types of request and answer follow from its schemas. */
export function defineCall<Request, Answer>(call: Call<Request, Answer>): Call<Request, Answer> {
  return call
}

/** The error for a call without an answer. Clients see its message: it names no path and no address. */
export function unavailable(
  call: Pick<Call<unknown, unknown>, 'unavailable_code' | 'unavailable_effect'>,
  reason: string,
  cause?: unknown,
): HoldshortError {
  return new HoldshortError(call.unavailable_code, `the pipeline ${reason}; ${call.unavailable_effect}`, { cause })
}

/** A call with the function that answers it, as a transport serves it. */
export interface CallImplementation {
  name: string
  max_request_bytes: number
  redis_concurrency: number
  answer: (request: unknown) => Promise<unknown>
}

/** Binds a declared call to the function that answers it. */
export function implementCall<Request, Answer>(
  call: Call<Request, Answer>,
  answer: (request: Request) => Promise<Answer>,
): CallImplementation {
  const { name, max_request_bytes, redis_concurrency } = call
  return { name, max_request_bytes, redis_concurrency, answer: async (request) => answer(call.request.parse(request)) }
}

/** The serving side of a transport while it is open. */
export interface CallServer {
  close: () => Promise<void>
}

/** The calling side of a transport. */
export interface CallClient {
  /**
   * Sends a request and returns the checked answer. The signal ends the waiting, never the work: others may wait for it.
   * @throws HoldshortError the call's `unavailable_code` when no usable answer came in time; INTERNAL when the pipeline
   *   failed while answering; ZodError for a request that breaks its schema; the signal's reason
   */
  call: <Request, Answer>(
    call: Call<Request, Answer>,
    request: NoInfer<Request>,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Answer>
  close: () => Promise<void>
}

/** Sends one request over a transport; `stop` fires when the caller waits no longer. */
export type SendRequest = <Request>(
  call: Call<Request, unknown>,
  request: Request,
  stop: AbortSignal,
) => Promise<unknown>

/** Builds a client over a transport: checks of request and answer, timeout, cancellation and errors are the same for all. */
export function createCallClient(send: SendRequest, close: () => Promise<void> = async () => undefined): CallClient {
  const closing = new AbortController()
  return {
    call: async (call, unchecked, { signal } = {}) => {
      const request = call.request.parse(unchecked)
      const timeout = AbortSignal.timeout(call.timeout_ms)
      const stop = AbortSignal.any([closing.signal, timeout, ...(signal ? [signal] : [])])
      const sent = send(call, request, stop)
      // The race below may end first; a later failure must not count as an unhandled rejection.
      sent.catch(() => undefined)
      try {
        return call.answer(request).parse(await Promise.race([sent, rejectOnAbort(stop)]))
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof HoldshortError) throw cause
        const reason = timeout.aborted ? `gave no answer in ${call.timeout_ms / 1_000} s` : 'could not be reached'
        throw unavailable(call, reason, cause)
      }
    },
    close: async () => {
      closing.abort()
      await close()
    },
  }
}

/** The error for a request that reached the pipeline but made it fail. */
export function pipelineFailure(message: string): HoldshortError {
  return new HoldshortError('INTERNAL', `the pipeline failed while answering: ${message}`)
}
