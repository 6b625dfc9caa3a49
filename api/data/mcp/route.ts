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

/**
 * Adds the MCP server at POST /mcp (Streamable HTTP, stateless), with the same keys, gate and metering as REST. A tool call
 * that succeeds counts against the month under the tool's name; other requests count against the minute only.
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
  const toolResults = new ToolResultCache()
  const toolLists = new ToolListCache(catalogue)
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
    onRequest: [guardHost, allowOrigin, credentialIsPresent],
    errorHandler: answerBodyError,
    // Whether the call is billable depends on the body, so the gate decides after it has been read.
    preHandler: [
      (request, reply, done) => requireKey(gate, clock, isToolCall(request.body), true)(request, reply, done),
      noBatch,
    ],
    async handler(request, reply) {
      const admission = request.admission!
      const disconnected = abortOnDisconnect(reply)
      const call: McpCall = {
        admission,
        request_id: request.id,
        source: request.ip,
        now: clock(),
        count,
        get signal() {
          return disconnected().signal
        },
      }
      const fast = readFastPathRequest(catalogue, request)
      if (fast) {
        reply.headers(FAST_PATH_HEADERS)
        if (fast.method === 'tools/list') return sendToolList(request, reply, toolLists.answer(fast))
        const result = await toolResults.resultOf(fast.tool, fast.input, dependencies, call)
        return reply.send(toolCallResponse(fast, result))
      }
      // Has an effect only if the call never reached its tool, which is not billed.
      reply.raw.once('close', () => admission.settle(false, ''))
      const headers = webHeaders(request)
      const message = new Request(`${mcp_url}/mcp`, { method: 'POST', headers, signal: call.signal })
      calls.set(message, call)
      const response = await handler.fetch(message, { parsedBody: request.body })
      return sendResponse(reply, response)
    },
  })
}

/** Sends the tool list, which has 40 KB and 6 KB when compressed. Only cached answers are compressed. */
function sendToolList({ headers }: FastifyRequest, reply: FastifyReply, body: ResponseBody | string): FastifyReply {
  reply.header('vary', 'Origin, Accept-Encoding')
  if (typeof body === 'string') return reply.send(body)
  const encoding = negotiateEncoding(headers['accept-encoding'], true)
  if (encoding === null) return reply.send(body.plain)
  return reply.header('content-encoding', encoding).send(body.encoded(encoding))
}

const FAST_PATH_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

/** Refuses a request without a credential before its body is read. */
const credentialIsPresent = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
  presentedCredential(request.headers)
  done()
}

/** The protocol has had no batches since 2025-06; a batch would pass many calls through the gate as one. */
const noBatch = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
  if (!Array.isArray(request.body)) return done()
  sendRpcError(reply, 400, INVALID_REQUEST, 'Invalid Request: the body must be one JSON-RPC message, not a batch')
}

const isToolCall = (body: unknown) => (body as { method?: unknown } | null)?.method === 'tools/call'

/** Returns a function that creates, on first use, a controller that aborts when the client disconnects before the answer. */
function abortOnDisconnect({ raw }: FastifyReply): () => AbortController {
  let controller: AbortController | null = null
  return () => {
    if (controller) return controller
    const created = new AbortController()
    controller = created
    raw.once('close', () => {
      if (!raw.writableFinished) created.abort()
    })
    return created
  }
}

function webHeaders({ headers }: FastifyRequest): Headers {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'content-length' && name !== 'connection') passed.set(name, value)
  return passed
}

/** Sends event streams (subscriptions) as they arrive, and every other response at once. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  if (response.body === null) return reply.send()
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return reply.send(Readable.fromWeb(response.body as ReadableStream))
  return reply.send(await response.text())
}
