import { PARSE_ERROR } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../rest/problem.ts'

/** JSON-RPC's code for server-defined errors, which the SDK uses for refused HTTP requests. */
export const REFUSED = -32_000

/** Answers a request that was refused before it reached the MCP handler with a JSON-RPC error, which MCP clients expect. */
export function sendRpcError(
  reply: FastifyReply,
  status: number,
  code: number,
  message: string,
  data?: Problem,
): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id: null }))
}

/** The SDK's JSON-RPC codes for the statuses with which Fastify refuses a body. */
const BODY_ERROR_CODES: Record<number, number> = { 400: PARSE_ERROR, 413: -32_000, 415: -32_000 }

/** Answers an unreadable body with a JSON-RPC error; rethrows other errors to the error handler of the app. */
export function answerBodyError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error
  const code = BODY_ERROR_CODES[statusCode]
  // After the gate has decided, the body has been read, so the error has another cause.
  if (code === undefined || request.admission !== null) throw error
  return sendRpcError(reply, statusCode, code, code === PARSE_ERROR ? `Parse error: ${error.message}` : error.message)
}
