import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, INVALID_REQUEST } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { addresses } from '../../../config/settings.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { presentedCredential } from '../gate/credentials.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { negotiateEncoding } from '../rest/negotiate.ts'
import { requireKey } from '../rest/require-key.ts'
import type { ResponseBody } from '../rest/response-body.ts'
import type { McpCall } from './call-tool.ts'
import type { McpCatalogue } from './catalogue.ts'
import { allowOrigin, answerPreflight } from './cross-origin.ts'
import { readFastPathRequest, ToolListCache, toolCallResponse } from './fast-path.ts'
import { hostGuard } from './host-guard.ts'
import { answerBodyError, sendRpcError } from './rpc-error.ts'
import { mcpServer } from './server.ts'
import { ToolResultCache } from './tool-result-cache.ts'

interface Message {
  method?: unknown
}

/**
 * The MCP face at POST /mcp (Streamable HTTP, stateless): the same keys, gate and metering as REST. A tool call that
 * succeeds counts against the month under the tool's name; listing tools and the handshake count against the minute only.
 */
export function addMcpRoute(
  app: FastifyInstance,
  catalogue: McpCatalogue,
  dependencies: AppDependencies,
  gate: Gate,
  { toolCalls }: ServiceMetrics,
): void {
  const { settings, clock = Date.now, logger } = dependencies
  const { mcp_url } = addresses(settings)
  const kept = new ToolResultCache()
  const listings = new ToolListCache(catalogue)
  const calls = new WeakMap<Request, McpCall>()
  const count: McpCall['count'] = (tool, outcome) => toolCalls.inc({ tool, outcome })
  const handler = createMcpHandler(({ requestInfo }) => mcpServer(catalogue, dependencies, calls.get(requestInfo!)!), {
    onerror: (error) => logger?.debug({ err: error }, 'mcp'),
  })
  app.addHook('onClose', () => handler.close())

  const guardHost = hostGuard(settings)
  app.options('/mcp', {
    schema: { hide: true },
    onRequest: [guardHost, allowOrigin, answerPreflight],
    handler: () => undefined,
  })
  app.post('/mcp', {
    schema: { hide: true },
    onRequest: [guardHost, allowOrigin, keyIsThere],
    errorHandler: answerBodyError,
    // The body tells whether the call can be billed, so the gate comes after it has been read.
    preHandler: [
      (request, reply, done) => requireKey(gate, clock, isToolCall(request.body), true)(request, reply, done),
      noBatch,
    ],
    async handler(request, reply) {
      const admission = request.admission!
      const gone = goneWith(reply)
      const call: McpCall = {
        admission,
        request_id: request.id,
        source: request.ip,
        now: clock(),
        count,
        get signal() {
          return gone().signal
        },
      }
      const direct = readFastPathRequest(catalogue, request)
      if (direct) {
        reply.headers(DIRECT_HEADERS)
        if (direct.method === 'tools/list') return sendListing(request, reply, listings.answer(direct))
        return reply.send(toolCallResponse(direct, await kept.resultOf(direct.tool, direct.input, dependencies, call)))
      }
      // A call that never reached its tool is not billed.
      reply.raw.once('close', () => admission.settle(false, ''))
      const headers = webHeaders(request)
      const message = new Request(`${mcp_url}/mcp`, { method: 'POST', headers, signal: call.signal })
      calls.set(message, call)
      const response = await handler.fetch(message, { parsedBody: request.body })
      return sendResponse(reply, response)
    },
  })
}

/** The listing is forty kilobytes, and six when compressed: that is done for answers that are there for the next caller too. */
function sendListing({ headers }: FastifyRequest, reply: FastifyReply, body: ResponseBody | string): FastifyReply {
  reply.header('vary', 'Origin, Accept-Encoding')
  if (typeof body === 'string') return reply.send(body)
  const encoding = negotiateEncoding(headers['accept-encoding'], true)
  if (encoding === null) return reply.send(body.plain)
  return reply.header('content-encoding', encoding).send(body.encoded(encoding))
}

const DIRECT_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

/** A call without a key is refused before its body is read. */
const keyIsThere = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
  presentedCredential(request.headers)
  done()
}

/** Batches left the protocol in 2025-06; taking them would let one call carry many past the gate. */
const noBatch = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
  if (!Array.isArray(request.body)) return done()
  sendRpcError(reply, 400, INVALID_REQUEST, 'Invalid Request: the body must be one JSON-RPC message, not a batch')
}

const isToolCall = (body: unknown) => (body as Message | null)?.method === 'tools/call'

/** Makes, when first asked, what aborts when the caller hangs up before the answer is out. */
function goneWith({ raw }: FastifyReply): () => AbortController {
  let gone: AbortController | null = null
  return () => {
    if (gone) return gone
    const made = new AbortController()
    gone = made
    raw.once('close', () => {
      if (!raw.writableFinished) made.abort()
    })
    return made
  }
}

function webHeaders({ headers }: FastifyRequest): Headers {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'content-length' && name !== 'connection') passed.set(name, value)
  return passed
}

/** Streams what may go on for long (subscriptions); everything else is sent whole. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  if (response.body === null) return reply.send()
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return reply.send(Readable.fromWeb(response.body as ReadableStream))
  return reply.send(await response.text())
}
