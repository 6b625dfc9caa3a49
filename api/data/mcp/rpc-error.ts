import { PARSE_ERROR } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** Answers a request that got no further than HTTP with an error of JSON-RPC, as MCP clients read it. */
export function sendRpcError(reply: FastifyReply, status: number, code: number, message: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

/** Refusals of a body by Fastify, and the code that the SDK gives to the same. */
const BODY_FAULTS: Record<number, number> = { 400: PARSE_ERROR, 413: -32_000, 415: -32_000 }

/** Tells an unreadable body as JSON-RPC has it; every other fault is told as on the rest of the service. */
export function answerBodyError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error
  const code = BODY_FAULTS[statusCode]
  // Once the gate has let it through, the body has been read.
  if (code === undefined || request.admission !== null) throw error
  return sendRpcError(reply, statusCode, code, code === PARSE_ERROR ? `Parse error: ${error.message}` : error.message)
}
