import type { Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { State } from '../../state/state.ts'
import { connectClient, redeemDecision } from './consent-decision.ts'
import { ROUTES, SCOPE } from './constants.ts'

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

/** Normalises authorization requests: the scope becomes `read` if none is requested or if `read` is one of several. */
export const normalizeRequest: Middleware = async (ctx, next) => {
  if (ctx.path === ROUTES.authorization && ctx.method === 'GET') {
    const query = Object.fromEntries(Object.entries(ctx.query).filter(([name]) => PARAMETERS.has(name)))
    const { scope = '' } = query
    if (typeof scope === 'string' && (scope.trim() === '' || scope.split(' ').includes(SCOPE))) query.scope = SCOPE
    // The library also supports form_post and fragment and cannot disable them, so they are replaced by an invalid value.
    if (query.response_mode !== undefined && query.response_mode !== 'query') query.response_mode = 'other'
    // Every connection needs a new approval, so other values of `prompt` have no meaning here.
    if (query.prompt !== 'none') delete query.prompt
    ctx.query = query
  }
  return next()
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
  sourceOf: (request: object) => string | null,
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
      const { account_id } = decision
      const redirect_uri = String(interaction.params.redirect_uri)
      const connection = { client, redirect_uri, account_id, resource, source: sourceOf(ctx.req) }
      const grantId = await connectClient(provider, state, connection, clock())
      interaction.result = { login: { accountId: account_id, remember: false }, consent: { grantId } }
    } else interaction.result = { error: 'access_denied', error_description: 'the person did not approve' }
    await interaction.persist()
    return next()
  }
}
