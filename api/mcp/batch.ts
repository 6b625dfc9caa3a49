import { INVALID_REQUEST, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextSlice } from '../../answers/slices.ts'
import type { Admission, Gate } from '../gate/admission.ts'
import { asHoldshortError } from '../rest/problem.ts'
import { keyOrToken, rateHeaders } from '../rest/require-key.ts'
import type { McpRequest } from './call-tool.ts'
import { isObject } from './json-object.ts'
import { isAnonymous, isListing } from './open-listing.ts'
import { REFUSED, sendRpcError } from './rpc-error.ts'

/** The only version of the protocol with batches. It is also the version of a request without the header, as the protocol says. */
const BATCH_VERSION = '2025-03-26'
const MAX_MESSAGES = 20

/** Whether the body of a request is a list of messages. */
export const isBatch = ({ body }: FastifyRequest) => Array.isArray(body)

/** Answers one message as JSON; null for one without a response. */
type AnswerOne = (message: unknown, call: McpRequest) => Promise<string | null>

/**
 * Answers a batch with the responses to its messages, as one JSON list. Each message passes the gate and is billed on its
 * own, so that a batch of ten calls is ten calls. A refused message has an error among the responses; when every message is
 * refused, so is the batch.
 * @throws HoldshortError INVALID_API_KEY, RateLimitedError
 */
export async function answerBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  call: McpRequest,
  gate: Gate,
  answerOne: AnswerOne,
): Promise<FastifyReply> {
  const messages = request.body as unknown[]
  const fault = faultOf(messages, request)
  if (fault !== null) return sendRpcError(reply, 400, INVALID_REQUEST, `Invalid Request: ${fault}`)
  const admissions = await admitEach(messages, request, call.now, gate)
  const last = admissions.findLast((admission) => admission !== null)
  if (last) reply.headers(rateHeaders(last))
  const refusal = admissions[0]?.refusal
  if (refusal && admissions.every((admission) => admission?.refusal)) throw refusal
  const answers = await Promise.all(
    messages.map(async (message, at) => {
      const admission = admissions[at] ?? null
      if (!isObject(message)) return errorOf(null, INVALID_REQUEST, 'Invalid Request: a message must be an object')
      if (admission?.refusal) return refusalOf(message.id, admission)
      try {
        await nextSlice()
        // A copy would ask for the signal, which is made only where somebody needs it.
        return await answerOne(message, Object.assign(Object.create(call), { admission }))
      } finally {
        // Has an effect only if the call never reached its tool, which is not billed.
        admission?.settle(false, '')
      }
    }),
  )
  const responses = answers.filter((answer) => answer !== null)
  if (responses.length === 0) return reply.code(202).send()
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(`[${responses.join(',')}]`)
}

/** Why a batch is refused as a whole; null if it is not. */
function faultOf(messages: unknown[], { headers }: FastifyRequest): string | null {
  const version = headers['mcp-protocol-version'] ?? BATCH_VERSION
  if (version !== BATCH_VERSION || messages.some(namesVersion))
    return 'the body must be one JSON-RPC message; the protocol has had no batches since 2025-06-18'
  if (messages.length === 0) return 'the batch is empty'
  if (messages.length > MAX_MESSAGES) return `a batch has at most ${MAX_MESSAGES} messages`
  return messages.some((message) => isObject(message) && message.method === 'initialize')
    ? '`initialize` must not be part of a batch'
    : null
}

/** Whether a message has the envelope of 2026-07-28 or later, which names its version. */
const namesVersion = (message: unknown) =>
  isObject(message) &&
  isObject(message.params) &&
  isObject(message.params._meta) &&
  PROTOCOL_VERSION_META_KEY in message.params._meta

/** The decision of the gate on each message; null for a message that needs no credential. */
async function admitEach(messages: unknown[], { headers }: FastifyRequest, now: number, gate: Gate) {
  const anonymous = isAnonymous(headers)
  const admissions: (Admission | null)[] = []
  for (const message of messages) {
    // `isAnonymous` is true here only where the operator opens the listing; otherwise the request was refused before.
    if (anonymous && isListing(message)) admissions.push(null)
    else
      admissions.push(await gate.admit(keyOrToken(headers), now, isObject(message) && message.method === 'tools/call'))
  }
  return admissions
}

function refusalOf(id: unknown, { refusal }: Admission): string | null {
  if (id === undefined) return null
  const { code, message } = asHoldshortError(refusal)
  return errorOf(id, REFUSED, `${code}: ${message}`, {
    scope: refusal!.scope,
    retry_after_seconds: refusal!.retryAfterSeconds,
  })
}

const errorOf = (id: unknown, code: number, message: string, data?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
