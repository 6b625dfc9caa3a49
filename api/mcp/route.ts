import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, INVALID_REQUEST } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { LRUCache } from 'lru-cache'
import { addresses } from '../../config/addresses.ts'
import { once } from '../../config/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { presentedCredential } from '../gate/credentials.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { addPreflight } from '../rest/cors.ts'
import { requireKey } from '../rest/require-key.ts'
import { sessionHeaders, showsViews } from '../views/apps-extension.ts'
import { acceptedTypes } from './accepted-types.ts'
import { callTool, type McpRequest } from './call-tool.ts'
import type { McpCatalogue } from './catalogue.ts'
import { readFastPathRequest, toolCallResponse } from './fast-path.ts'
import { withoutNullParams } from './null-params.ts'
import { anonymousLimit, isAnonymous, isListing } from './open-listing.ts'
import { answerBodyError, REFUSED, sendRpcError } from './rpc-error.ts'
import { mcpServer } from './server.ts'

const EXPOSED =
  'Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'

/**
 * Lets pages of the origins that `hostGuard` has allowed read the answers. /mcp reads no cookies, so a page can do no more
 * than its key allows, and the browser's credentials are not requested.
 */
function allowOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  if (origin !== undefined)
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
  done()
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-API-Key, X-Request-Id',
}

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
  const calls = new WeakMap<Request, McpRequest>()
  const count: McpRequest['count'] = (tool, outcome) => toolCalls.inc({ tool, outcome })
  // The SDK requests a server even if it then refuses a body that it cannot read.
  const unread: McpRequest = {
    admission: null,
    request_id: '',
    source: '',
    now: 0,
    count,
    showsViews: false,
    signal: () => AbortSignal.abort(),
  }
  const serverFor = (request: Request | undefined) =>
    mcpServer(catalogue, dependencies, (request && calls.get(request)) ?? unread)
  const handler = createMcpHandler(({ requestInfo }) => serverFor(requestInfo), {
    onerror: (error) => logger?.debug({ err: error }, 'mcp'),
  })
  app.addHook('onClose', () => handler.close())

  const passToSdk = (request: FastifyRequest, call: McpRequest): Promise<Response> => {
    const passed = new Request(`${mcp_url}/mcp`, {
      method: 'POST',
      headers: webHeaders(request),
      signal: call.signal(),
    })
    calls.set(passed, call)
    return handler.fetch(passed, { parsedBody: request.body })
  }
  /** The answer to a message: JSON, or a response of the SDK. */
  const answerMessage = async (request: FastifyRequest, call: McpRequest) => {
    const fast = readFastPathRequest(catalogue, request)
    if (!fast || !call.admission) return passToSdk(request, call)
    const result = await callTool(catalogue, fast.tool, fast.input, dependencies, call, call.admission)
    return toolCallResponse(fast, JSON.stringify(result))
  }

  const guardHost = hostGuard(settings)
  const limitAnonymous = anonymousLimit()
  /** Refuses a request without a credential before its body is read, unless the operator lets anyone list the server. */
  const credentialIsPresent = (
    { headers, ip }: FastifyRequest,
    _reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ) => {
    if (settings.mcp_open_listing && isAnonymous(headers)) limitAnonymous(ip, clock())
    else presentedCredential(headers)
    done()
  }
  /** Whether the call is billable depends on the body, so the gate decides after it has been read. */
  const decide = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { body, headers } = request
    const mayList = settings.mcp_open_listing && isAnonymous(headers) && isListing(body)
    if (mayList) return done()
    requireKey(gate, clock, isToolCall(body), true)(request, reply, done)
  }
  addPreflight(app, '/mcp', PREFLIGHT, [guardHost, allowOrigin])
  app.post('/mcp', {
    onRequest: [guardHost, allowOrigin, credentialIsPresent, typeIsAccepted],
    errorHandler: answerBodyError,
    preValidation: readMessage,
    preHandler: decide,
    async handler(request, reply) {
      const { admission, ip: source, id: request_id } = request
      const call: McpRequest = {
        admission,
        request_id,
        source,
        now: clock(),
        count,
        showsViews: showsViews(request.body, request.headers),
        signal: abortOnDisconnect(reply),
      }
      if (call.showsViews && isInitialize(request.body)) reply.headers(sessionHeaders())
      // Has an effect only if the call never reached its tool, which is not billed.
      if (admission) reply.raw.once('close', () => admission.settle(false, ''))
      const answer = await answerMessage(request, call)
      return typeof answer === 'string'
        ? reply.headers(FAST_PATH_HEADERS).send(answer)
        : sendResponse(request, reply, answer)
    },
  })
}

const FAST_PATH_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

/** Refuses a client that reads neither type of answer. */
const typeIsAccepted = ({ headers }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
  const { json, eventStream } = acceptedTypes(headers.accept)
  if (json || eventStream) return done()
  sendRpcError(reply, 406, REFUSED, 'Not Acceptable: this address answers application/json or text/event-stream')
}

/** Refuses a batch, whose messages the SDK would answer without a decision of the gate on each. */
const readMessage = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
  if (Array.isArray(request.body)) {
    sendRpcError(reply, 400, INVALID_REQUEST, NO_BATCHES)
    return
  }
  request.body = withoutNullParams(request.body)
  done()
}

const NO_BATCHES =
  'Invalid Request: the body must be one JSON-RPC message; the protocol has had no batches since 2025-06-18'

const isInitialize = (body: unknown) => (body as { method?: unknown } | null)?.method === 'initialize'
const isToolCall = (body: unknown) => (body as { method?: unknown } | null)?.method === 'tools/call'

/** Returns a function that creates, on first use, a signal that aborts when the client disconnects before the answer. */
const abortOnDisconnect = ({ raw }: FastifyReply): (() => AbortSignal) =>
  once(() => {
    const controller = new AbortController()
    raw.once('close', () => {
      if (!raw.writableFinished) controller.abort()
    })
    return controller.signal
  })

/** The headers for the SDK, which refuses clients that do not name both types. The answer is converted afterwards. */
function webHeaders({ headers }: FastifyRequest): Headers {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'content-length' && name !== 'connection') passed.set(name, value)
  passed.set('accept', 'application/json, text/event-stream')
  return passed
}

/** Sends event streams as they arrive, and every other response at once. */
async function sendResponse(request: FastifyRequest, reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const { eventStream } = acceptedTypes(request.headers.accept)
  reply.code(response.status).header('cache-control', 'no-store')
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && !eventStream) {
    const message = await responseMessage(response)
    return reply.type('application/json; charset=utf-8').send(message ?? '')
  }
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  if (response.body === null) return reply.send()
  if (isStream) return reply.send(Readable.fromWeb(response.body as ReadableStream))
  return reply.send(await response.text())
}

/**
 * The response to a request within an answer of the SDK, as JSON: the body itself, or the message with a result or an error
 * within an event stream. Notifications before it, such as progress, are dropped. Null when there is no response.
 */
async function responseMessage(answer: Response): Promise<string | null> {
  if (answer.body === null) return null
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return (await answer.text()) || null
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return null
      text += value
      const events = text.split('\n\n')
      text = events.pop()!
      const response = events.map(messageOf).find((message) => message !== null && isResponse(message))
      if (response) return response
    }
  } finally {
    await reader.cancel()
  }
}

/** The message of one event; null for an event without one, such as a keep-alive. */
function messageOf(event: string): string | null {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).trimStart()).join('\n')
}

function isResponse(message: string): boolean {
  if (message === '') return false
  const parsed = JSON.parse(message) as object
  return 'result' in parsed || 'error' in parsed
}

/**
 * Refuses requests whose Host or Origin names neither this service nor this machine. This prevents DNS rebinding, where a
 * page points its own name to our address and sends requests from a visitor's browser. IP addresses cannot be rebound.
 * Pages of the origins in the setting `mcp_origins` are allowed too, with our own Host.
 */
function hostGuard(settings: Settings) {
  const { site_url, mcp_url, auth_url } = addresses(settings)
  const names = new Set([
    'localhost',
    settings.host,
    new URL(site_url).hostname,
    new URL(mcp_url).hostname,
    new URL(auth_url).hostname,
  ])
  // Nearly all requests have one of a few values; parsing them each time costs more than the gate.
  const results = new LRUCache<string, boolean>({ max: 100 })
  const isKnown = (url: string) => {
    const cached = results.get(url)
    if (cached !== undefined) return cached
    const hostname = URL.canParse(url) ? new URL(url).hostname : ''
    const result = names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    results.set(url, result)
    return result
  }
  const allowedOrigins = new Set(settings.mcp_origins)
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { host = '', origin } = headers
    const hostIsKnown = isKnown(`http://${host}`)
    if (hostIsKnown && (origin === undefined || allowedOrigins.has(origin) || isKnown(origin))) return done()
    const message = hostIsKnown ? 'this Origin is not allowed' : 'this Host is not served here'
    sendRpcError(reply, 403, REFUSED, message)
  }
}
