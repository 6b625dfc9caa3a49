import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addresses } from '../../../config/settings.ts'
import { MinuteWindow } from '../../data/gate/minute-window.ts'
import { sourceNetwork } from '../../data/gate/source-network.ts'
import type { ServiceMetrics } from '../../data/metrics/service-metrics.ts'
import { ResponseBody, sendBody } from '../../data/rest/response-body.ts'
import { pageHeaders } from '../../site/pages/document.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { ROUTES } from './constants.ts'
import { faultPage, HTML } from './fault-page.tsx'
import { serverMetadata } from './metadata.ts'
import { addRegistration } from './registration.ts'

const METADATA = '/.well-known/oauth-authorization-server'

/** Authorization requests that may be begun from one network in a minute. */
const MOST_BEGUN = 120

/** Paths that pages of other origins may use: MCP clients that run in a browser. Their tokens are in no cookie. */
const OPEN = {
  [ROUTES.token]: 'POST',
  [ROUTES.registration]: 'POST',
  [ROUTES.revocation]: 'POST',
  [ROUTES.jwks]: 'GET',
  [METADATA]: 'GET',
}

/** The addresses of the authorization server: its library answers what is asked of it, on Node's own request. */
export function addAuthorizationServerRoutes(
  app: FastifyInstance,
  dependencies: AccountDependencies,
  authorizationServer: AuthorizationServer,
  metrics: ServiceMetrics,
): void {
  const toLibrary = async (request: FastifyRequest, reply: FastifyReply) => {
    const { answer, sourceAddresses } = await authorizationServer.open()
    sourceAddresses.set(request.raw, request.ip)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.setHeader('cache-control', 'no-store')
    if (request.routeOptions.url! in OPEN) reply.raw.setHeader('access-control-allow-origin', '*')
    await answer(request.raw, reply.raw)
    // It passed no hook that counts answers.
    metrics.countAnswer(request, reply)
  }
  const { clock = Date.now } = dependencies
  const begun = new SourceLimit(MOST_BEGUN)
  /** Each request that is begun is a record in the state. */
  const notTooMany = async (request: FastifyRequest, reply: FastifyReply) => {
    const wait = begun.take(request.ip, clock())
    if (wait === 0) return
    const description = `at most ${MOST_BEGUN} connection requests a minute from one address`
    const page = faultPage('too_many_requests', description)
    const headers = { ...pageHeaders(), 'retry-after': String(wait), 'cache-control': 'no-store' }
    return reply.code(429).headers(headers).type(HTML).send(page)
  }
  const give = (method: 'GET' | 'POST', url: string, first: (typeof notTooMany)[] = []) =>
    app.route({
      method,
      url,
      schema: { hide: true },
      exposeHeadRoute: false,
      onRequest: [...first, toLibrary],
      handler: () => undefined,
    })

  give('GET', ROUTES.authorization, [notTooMany])
  give('GET', `${ROUTES.authorization}/:request`)
  give('POST', ROUTES.token)
  give('POST', ROUTES.revocation)
  give('GET', ROUTES.jwks)
  addRegistration(app, dependencies, authorizationServer)
  addMetadata(app, dependencies)
  for (const [url, methods] of Object.entries(OPEN)) addPreflight(app, url, methods)
}

/** The metadata (RFC 8414). One process serves site and authorization server: asked by the site's name, it points to the other. */
function addMetadata(app: FastifyInstance, { settings }: AccountDependencies): void {
  const { site_url, auth_url } = addresses(settings)
  const [site, auth] = [new URL(site_url).host, new URL(auth_url).host]
  const open = { 'access-control-allow-origin': '*' }
  const text = JSON.stringify(serverMetadata(auth_url, site_url))
  const body = new ResponseBody(text, 'application/json; charset=utf-8', '1.0.0', open)
  app.get(METADATA, { schema: { hide: true } }, (request, reply) =>
    site !== auth && request.headers.host === site
      ? reply.headers(open).redirect(auth_url + METADATA, 307)
      : sendBody(request, reply, body, 'public, max-age=3600'),
  )
}

function addPreflight(app: FastifyInstance, url: string, methods: string): void {
  app.options(url, {
    schema: { hide: true },
    onRequest: async (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': methods,
          'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
          'access-control-max-age': '86400',
        })
        .send(),
    handler: () => undefined,
  })
}

const MOST_HELD = 10_000

/** How often each source network may do something in a minute, by the memory of this process. */
export class SourceLimit {
  readonly #limit: number
  readonly #windows = new Map<string, MinuteWindow>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a place; returns 0, or the seconds to wait where there is none. */
  take(address: string, now: number): number {
    const network = sourceNetwork(address)
    const window = this.#windows.get(network) ?? new MinuteWindow(this.#limit)
    if (!window.take(now)) return window.resetSeconds(now)
    if (this.#windows.size >= MOST_HELD)
      for (const [name, held] of this.#windows) if (held.idle(now)) this.#windows.delete(name)
    this.#windows.set(network, window)
    return 0
  }
}
