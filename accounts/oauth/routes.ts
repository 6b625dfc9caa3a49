import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SourceLimit } from '../../api/gate/source-limit.ts'
import type { ServiceMetrics } from '../../api/metrics/service-metrics.ts'
import { addPreflightOfClients } from '../../api/rest/cors.ts'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { addresses } from '../../config/addresses.ts'
import { pageHeaders } from '../../site/pages/document.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { ROUTES } from './constants.ts'
import { faultPage, HTML } from './fault-page.tsx'
import { serverMetadata } from './metadata.ts'
import { addRegistration } from './registration.ts'

const METADATA = '/.well-known/oauth-authorization-server'

/** Authorization requests that one network may begin in a minute. */
const MAX_REQUESTS_PER_MINUTE = 120

/** Paths and methods that pages of other origins may use, for MCP clients in a browser. They use no cookies. */
const CROSS_ORIGIN_METHODS = {
  [ROUTES.token]: 'POST',
  [ROUTES.registration]: 'POST',
  [ROUTES.revocation]: 'POST',
  [ROUTES.jwks]: 'GET',
  [METADATA]: 'GET',
}

/** Adds the routes of the authorization server. Its library answers them on Node's own request and response. */
export function addAuthorizationServerRoutes(
  app: FastifyInstance,
  dependencies: AccountDependencies,
  authorizationServer: AuthorizationServer,
  metrics: ServiceMetrics,
): void {
  const passToLibrary = async (request: FastifyRequest, reply: FastifyReply) => {
    const { answer, sourceAddresses } = await authorizationServer.open()
    sourceAddresses.set(request.raw, request.ip)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.setHeader('cache-control', 'no-store')
    if (request.routeOptions.url! in CROSS_ORIGIN_METHODS) reply.raw.setHeader('access-control-allow-origin', '*')
    await answer(request.raw, reply.raw)
    // A hijacked response passes no onSend hook, so it is counted here.
    metrics.countAnswer(request, reply)
  }
  const { clock = Date.now } = dependencies
  const sourceLimit = new SourceLimit(MAX_REQUESTS_PER_MINUTE)
  /** Limits authorization requests per source, because each stores a record in the state. */
  const limitBySource = async (request: FastifyRequest, reply: FastifyReply) => {
    const wait = sourceLimit.take(request.ip, clock())
    if (wait === 0) return
    const description = `at most ${MAX_REQUESTS_PER_MINUTE} connection requests a minute from one address`
    const page = faultPage('too_many_requests', description)
    const headers = { ...pageHeaders(), 'retry-after': String(wait), 'cache-control': 'no-store' }
    return reply.code(429).headers(headers).type(HTML).send(page)
  }
  const addLibraryRoute = (method: 'GET' | 'POST', url: string, hooks: (typeof limitBySource)[] = []) =>
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      onRequest: [...hooks, passToLibrary],
      handler: () => undefined,
    })

  addLibraryRoute('GET', ROUTES.authorization, [limitBySource])
  addLibraryRoute('GET', `${ROUTES.authorization}/:request`)
  addLibraryRoute('POST', ROUTES.token)
  addLibraryRoute('POST', ROUTES.revocation)
  addLibraryRoute('GET', ROUTES.jwks)
  addRegistration(app, dependencies, authorizationServer)
  addMetadata(app, dependencies)
  for (const [url, methods] of Object.entries(CROSS_ORIGIN_METHODS)) addPreflightOfClients(app, url, methods)
}

/** Adds the metadata (RFC 8414). Under the site's own host name it redirects to that of the authorization server. */
function addMetadata(app: FastifyInstance, { settings }: AccountDependencies): void {
  const { site_url, auth_url } = addresses(settings)
  const siteHost = new URL(site_url).host
  const authHost = new URL(auth_url).host
  const anyOrigin = { 'access-control-allow-origin': '*' }
  const text = JSON.stringify(serverMetadata(auth_url, site_url))
  const body = new ResponseBody(text, 'application/json; charset=utf-8', '1.0.0', anyOrigin)
  app.get(METADATA, (request, reply) =>
    siteHost !== authHost && request.headers.host === siteHost
      ? reply.headers(anyOrigin).redirect(auth_url + METADATA, 307)
      : sendBody(request, reply, body, 'public, max-age=3600'),
  )
}
