import type { Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { State } from '../../state/state.ts'
import { connectClient, redeemDecision } from './consent-decision.ts'
import { ROUTES, SCOPE } from './constants.ts'

/** Parameters of an authorization request that mean something here. What OpenID Connect adds is passed over (RFC 6749 §3.1). */
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

/** Brings authorization requests into our form: `read` where no scope is asked for, and `read` alone where others are besides. */
export const normalizeRequest: Middleware = async (ctx, next) => {
  if (ctx.path === ROUTES.authorization && ctx.method === 'GET') {
    const asked = Object.fromEntries(Object.entries(ctx.query).filter(([name]) => PARAMETERS.has(name)))
    const { scope = '' } = asked
    if (typeof scope === 'string' && (scope.trim() === '' || scope.split(' ').includes(SCOPE))) asked.scope = SCOPE
    // The library would answer by a form or in a fragment; we offer neither, and it has no way to say so.
    if (asked.response_mode !== undefined && asked.response_mode !== 'query') asked.response_mode = 'other'
    // Every connection is asked for anew; all else that a prompt may say goes without saying.
    if (asked.prompt !== 'none') delete asked.prompt
    ctx.query = asked
  }
  return next()
}

/** Keeps a cookie from being set: the library's session is not kept, so its cookie would name nothing. */
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
 * Lets a request go on with what its person has decided on the site. Only the browser that began the request holds its
 * cookie, and only the browser that decided holds the decision: they must be one.
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
    const { decision: carried } = ctx.query
    if (request === '') return next()
    ctx.query = {}
    const began = ctx.cookies.get(provider.cookieName('resume'), { signed: true })
    if (typeof carried !== 'string' || began !== request) return next()
    const decision = await redeemDecision(state, carried, request, clock())
    const interaction = decision && (await provider.Interaction.find(request))
    // A client that is gone meanwhile is the library's to tell of.
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
