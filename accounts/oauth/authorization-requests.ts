import type { Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { State } from '../../api/state/state.ts'
import { connectClient, redeemDecision } from './consent-decision.ts'
import { ROUTES, SCOPE } from './constants.ts'

/**
 * Whether a client means a resource of ours. Clients write it with a slash at its end, in capitals, with its default port, or as
 * its origin alone.
 */
function isSameResource(requested: string, resource: string): boolean {
  if (!URL.canParse(requested)) return false
  const { origin, pathname, search, hash, username, password } = new URL(requested)
  const own = new URL(resource)
  if (origin !== own.origin || search + hash + username + password !== '') return false
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return path === '' || path === own.pathname
}

/** Supported parameters of an authorization request. Others, such as those of OpenID Connect, are ignored (RFC 6749 §3.1). */
const PARAMETERS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'resource',
  'response_mode',
  'prompt',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])

/** Normalises authorization requests, whose scope and resource become ours (see `withOwnScopeAndResource`). */
export const normalizeRequest =
  (resource: string): Middleware =>
  async (ctx, next) => {
    if (ctx.path === ROUTES.authorization && ctx.method === 'GET') {
      const supported = Object.fromEntries(Object.entries(ctx.query).filter(([name]) => PARAMETERS.has(name)))
      const query = withOwnScopeAndResource({ scope: SCOPE, ...supported }, resource)
      // The library also supports form_post and fragment and cannot disable them, so they are replaced by an invalid value.
      if (query.response_mode !== undefined && query.response_mode !== 'query') query.response_mode = 'other'
      // Every connection needs a new approval, so other values of `prompt` have no meaning here.
      if (query.prompt !== 'none') delete query.prompt
      ctx.query = query
    }
    return next()
  }

/** Normalises the fields of forms, such as token requests, before the library reads them from `body` of its context. */
export function normalizeForms(provider: Provider, resource: string): void {
  const bodies = new WeakMap<object, Fields>()
  Object.defineProperty(provider.OIDCContext.prototype, 'body', {
    get(this: object) {
      return bodies.get(this)
    },
    set(this: object, fields: Fields) {
      bodies.set(this, withOwnScopeAndResource(fields, resource))
    },
  })
}

type Fields = Record<string, string | string[] | undefined>

/**
 * The fields of a request with the scope `read`, whatever a client adds to it (RFC 6749 §3.3 lets a server narrow; the answer
 * names the scope), and with our resource as we write it.
 */
function withOwnScopeAndResource(fields: Fields, resource: string): Fields {
  const { scope, resource: requested } = fields
  const own = { ...fields }
  if (typeof scope === 'string') own.scope = SCOPE
  const resources = [requested ?? []].flat()
  if (resources.length > 0 && resources.every((requested) => isSameResource(requested, resource)))
    own.resource = resource
  return own
}

/** Removes a cookie from responses. The library's sessions are not stored, so its session cookie is useless. */
export const withoutCookie =
  (name: string): Middleware =>
  async (ctx, next) => {
    await next()
    const set = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String)
    const cookies = set.filter((cookie) => !cookie.startsWith(name))
    if (cookies.length > 0) ctx.set('set-cookie', cookies)
    else ctx.remove('set-cookie')
  }

/**
 * Continues an authorization request with the person's decision from the consent page. The browser that began the request
 * has its cookie, and the browser with the consent page has the decision token; both must come from the same browser.
 */
export function resumeDecided(
  provider: Provider,
  { state, resource, clock }: { state: State; resource: string; clock: () => number },
  sourceOf: () => string | null,
): Middleware {
  return async (ctx, next) => {
    const request = ctx.path.startsWith(`${ROUTES.authorization}/`)
      ? ctx.path.slice(ROUTES.authorization.length + 1)
      : ''
    const { decision: token } = ctx.query
    if (request === '') return next()
    ctx.query = {}
    const begunRequest = ctx.cookies.get(provider.cookieName('resume'), { signed: true })
    if (typeof token !== 'string' || begunRequest !== request) return next()
    const decision = await redeemDecision(state, token, request, clock())
    const interaction = decision && (await provider.Interaction.find(request))
    // The library reports a client that no longer exists.
    const client =
      interaction && (await provider.Client.find(String(interaction.params.client_id)).catch(() => undefined))
    if (!client) return next()
    if (decision.approved) {
      const { account_id, session, may_write } = decision
      const redirect_uri = String(interaction.params.redirect_uri)
      const connection = { client, redirect_uri, account_id, session, resource, may_write, source: sourceOf() }
      const grantId = await connectClient(provider, state, connection, clock())
      // The person is asked to sign in and to decide again.
      if (grantId === null) return next()
      interaction.result = { login: { accountId: account_id, remember: false }, consent: { grantId } }
    } else interaction.result = { error: 'access_denied', error_description: 'the person did not approve' }
    await interaction.persist()
    return next()
  }
}
