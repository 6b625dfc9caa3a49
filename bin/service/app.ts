import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { addStripeWebhook } from '../../accounts/billing/webhook.ts'
import type { AccountDependencies } from '../../accounts/dependencies.ts'
import { addAgentRoutes } from '../../accounts/keys/agent-routes.ts'
import { lazyAuthorizationServer } from '../../accounts/oauth/authorization-server.ts'
import { SCOPE } from '../../accounts/oauth/constants.ts'
import { mcpChallenge } from '../../accounts/oauth/metadata.ts'
import { addAuthorizationServerRoutes } from '../../accounts/oauth/routes.ts'
import { tokenReader } from '../../accounts/oauth/token-reader.ts'
import { readVisitors } from '../../accounts/people/signed-in.ts'
import { anyReader, keyReader } from '../../api/gate/credentials.ts'
import { LocalGate } from '../../api/gate/local-gate.ts'
import { addMcpRoute } from '../../api/mcp/route.ts'
import { REFUSED, sendRpcError } from '../../api/mcp/rpc-error.ts'
import { addAccessLog } from '../../api/metrics/access-log.ts'
import { addMetricsRoute } from '../../api/metrics/route.ts'
import { countAnswers, ServiceMetrics } from '../../api/metrics/service-metrics.ts'
import { allowCrossOriginReads } from '../../api/rest/cors.ts'
import { acceptOnlyJson } from '../../api/rest/json-body.ts'
import { MalformedHttp, refuseAmbiguous } from '../../api/rest/malformed-http.ts'
import { collectOpenApi } from '../../api/rest/openapi.ts'
import { asHoldshortError, MAX_PART_LENGTH, problemOf } from '../../api/rest/problem.ts'
import { addQueryRoutes } from '../../api/rest/routes.ts'
import { rejectUnknownRoutes } from '../../api/rest/unknown-routes.ts'
import { failuresOf } from '../../api/state/failure-log.ts'
import { addresses } from '../../config/addresses.ts'
import { ERROR_CODES } from '../../config/errors.ts'
import { listContains, proxyList } from '../../config/networks.ts'
import { steadyNow } from '../../config/steady-clock.ts'
import { openOpenData } from '../../site/open-data/published-export.ts'
import { addOpenDataRoutes } from '../../site/open-data/routes.ts'
import { addAssets } from '../../site/pages/assets.ts'
import { sendErrorPage, wantsErrorPage } from '../../site/pages/error-page.tsx'
import { addPageScope } from '../../site/pages/page-scope.tsx'
import { addSiteRoutes } from '../../site/routes.ts'
import { queuePipelinedRequests } from './pipelined-requests.ts'
import { MCP_CATALOGUE, PAGES, QUERIES, SITE_CATALOGUE } from './registry.ts'

const MAX_BODY_BYTES = 262_144
const USAGE_FLUSH_INTERVAL_MS = 1_000
/** No answer takes as long to be made; a download that its client reads slowly moves. */
const STANDSTILL_MS = 120_000
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** RFC 6797: browsers use https for a year. Other hosts of the domain may belong to other services. */
const STRICT_TRANSPORT = 'max-age=31536000'

/** Whether the service is reached by https under a name that is not this machine's own. */
function isPublicHttps(site_url: string): boolean {
  const { protocol, hostname } = new URL(site_url)
  return protocol === 'https:' && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)
}

/** Builds the whole service without a port: routes, gate, error handling. Closing it writes the usage still in memory. */
export async function buildApp(dependencies: AccountDependencies): Promise<FastifyInstance> {
  const { settings, state, logger, clock = Date.now } = dependencies
  const metrics = new ServiceMetrics()
  const answerError = errorAnswerer(dependencies, metrics)
  const malformedHttp = new MalformedHttp(addresses(settings).site_url)
  const proxies = proxyList(settings.trusted_proxies)
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    // Given here and not set later: otherwise Fastify loads the compilers that these replace.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
    trustProxy: settings.trusted_proxies.length > 0 && ((address) => listContains(proxies, address)),
    genReqId: ({ headers }) => {
      const requestId = headers['x-request-id']
      return typeof requestId === 'string' && REQUEST_ID.test(requestId) ? requestId : randomUUID()
    },
    requestIdHeader: false,
    // People enter the address of the MCP server with a slash at its end.
    rewriteUrl: ({ url = '/' }) => url.replace(/^((?:\/\.well-known\/oauth-protected-resource)?\/mcp)\/(?=\?|$)/, '$1'),
    frameworkErrors: answerError,
    clientErrorHandler: malformedHttp.answer,
    // `refuseAmbiguous` answers a request without Host; Node's own answer has no body.
    http: { requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_PART_LENGTH },
    // Closes connections whose request does not arrive.
    requestTimeout: 30_000,
    // Closes connections on which nothing moves: a download that its client does not read would keep its file and memory for ever.
    connectionTimeout: STANDSTILL_MS,
    // Requests on open connections are answered while the server closes.
    return503OnClosing: false,
    keepAliveTimeout: 65_000,
  })
  app.decorateRequest('admission', null)
  app.decorate('site', {
    contact: settings.contact,
    site_url: addresses(settings).site_url,
    isSimulated: () => dependencies.holder.current()?.simulated === true,
  })
  app.decorate('preparations', [])
  const isSecure = isPublicHttps(addresses(settings).site_url)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (isSecure) reply.header('strict-transport-security', STRICT_TRANSPORT)
    done()
  })
  const { isDraining } = dependencies
  if (isDraining)
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (isDraining()) reply.header('connection', 'close')
      done()
    })
  app.addHook('onRequest', refuseAmbiguous)
  app.setErrorHandler(answerError)
  countAnswers(app, metrics)
  if (settings.access_log !== undefined) addAccessLog(app, settings.access_log)
  acceptOnlyJson(app)
  await collectOpenApi(app, settings.contact, QUERIES)

  const reader = anyReader(keyReader(state), tokenReader(dependencies))
  const gate =
    dependencies.makeGate?.(reader) ?? new LocalGate(state, reader, clock === Date.now ? steadyNow : undefined)
  queuePipelinedRequests(app.server)
  malformedHttp.watch(app.server)
  allowCrossOriginReads(app)
  const completeKnownRoutes = rejectUnknownRoutes(app)
  addQueryRoutes(app, QUERIES, dependencies, gate)
  addAgentRoutes(app, dependencies, gate)
  addSiteRoutes(app, SITE_CATALOGUE, SCOPE, dependencies)
  addAssets(app)
  addOpenDataRoutes(app, openOpenData(settings, dependencies.fetchExport), dependencies)
  const authorizationServer = lazyAuthorizationServer(dependencies)
  app.decorate('authorizationServer', authorizationServer)
  app.preparations.push(authorizationServer.open)
  addAuthorizationServerRoutes(app, dependencies, authorizationServer, metrics)
  await addPageScope(app, readVisitors, PAGES, dependencies, gate)
  await addStripeWebhook(app, dependencies)
  addMcpRoute(app, MCP_CATALOGUE, dependencies, gate, metrics)
  completeKnownRoutes()
  // Added after the list of known routes is complete, so that unauthorised clients get 404 for every method of /metrics.
  addMetricsRoute(app, dependencies, gate, metrics)

  const failures = failuresOf(logger)
  const flush = () =>
    gate
      .flush(clock())
      .then(() => failures.taskSucceeded('write usage'))
      .catch((error) =>
        failures.taskFailed('write usage', error, 'usage could not be written; the next flush retries it'),
      )
  const timer = setInterval(flush, USAGE_FLUSH_INTERVAL_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await gate.flush(clock())
  })
  await app.ready()
  return app
}

/** Answers every error, ours or Fastify's, as problem+json, or as JSON-RPC where an agent is to wait. Only internal errors and database failures are logged. */
function errorAnswerer({ settings, logger }: AccountDependencies, metrics: ServiceMetrics) {
  const { site_url, mcp_url } = addresses(settings)
  const failures = failuresOf(logger)
  return (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const error = asHoldshortError(thrown)
    request.admission?.settle(false, '')
    if (error.code === 'INTERNAL') logger?.error({ err: thrown, request_id: request.id }, 'a request failed')
    if (error.code.startsWith('STATE_')) failures.requestFailed(request.id, error)
    // A route counts its own answers.
    if (request.is404) metrics.countAnswer(request, reply.code(ERROR_CODES[error.code].status))
    if (wantsErrorPage(request)) return sendErrorPage(error, request, reply)
    const path = request.url.split('?')[0]!
    const challenge = path === '/mcp' ? { challenge: mcpChallenge(request, mcp_url) } : {}
    const { body, headers } = problemOf(error, { request_id: request.id, path, site_url, ...challenge })
    // No hook has set the request id for a request that Fastify could not route.
    reply.code(body.status).headers({ ...headers, 'x-request-id': request.id })
    // Agents are shown the message of a JSON-RPC error, and of another body nothing but that there was an error.
    if (path === '/mcp' && request.method === 'POST' && (body.status === 429 || body.status >= 500))
      return sendRpcError(reply, body.status, REFUSED, `${body.code}: ${body.detail}`, body)
    return reply.type('application/problem+json').send(JSON.stringify(body))
  }
}
