import type { EventEmitter } from 'node:events'
import type { JWK } from 'jose'
import type { Middleware } from 'koa'
import type { AdapterPayload, Configuration, Interaction } from 'oidc-provider'
import { retryAfter } from '../../api/rest/problem.ts'
import type { Actor } from '../../api/state/actor.ts'
import type { Peppers } from '../../api/state/peppers.ts'
import { derivedKey } from '../../api/state/secrets.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { guardedFetch } from '../egress/guarded-fetch.ts'
import { clientCaps, takeRegistrationSlot } from '../keys/registration.ts'
import { normalizeForms, normalizeRequest, resumeDecided, withoutCookie } from './authorization-requests.ts'
import { ClientDocuments, isDocumentAddress } from './client-documents.ts'
import { LIFETIMES, ROUTES, SCOPE } from './constants.ts'
import { renderFault } from './fault-page.tsx'
import { errors, interactionPolicy, Provider } from './library.ts'
import { signingKeys } from './signing-key.ts'
import {
  asLibraryError,
  extendClientExpiry,
  libraryAdapter,
  type StorageContext,
  storageAdapter,
} from './storage-adapter.ts'

/** The network address that sent each Node request, which the library does not know behind a proxy. */
export const sourceAddresses = new WeakMap<object, string>()
/** That of the request which the library answers; null outside of one. */
const sourceOf = () => (Provider.ctx ? (sourceAddresses.get(Provider.ctx.req) ?? null) : null)

const DISABLED = { enabled: false } as const

/**
 * Creates the authorization server: code flow with S256, one scope, one resource, public clients, JWT access tokens and
 * rotating refresh tokens. All other features of its library are disabled.
 */
export async function makeProvider(dependencies: AccountDependencies) {
  const { settings, state, clock = Date.now } = dependencies
  const { auth_url, mcp_url } = addresses(settings)
  const resource = `${mcp_url}/mcp`
  const actor = (): Actor => ({ actor: Provider.ctx ? 'client' : 'service', source: sourceOf() })
  const readDocument = documentReader(dependencies)
  const storage: StorageContext = { state, clock, actor, readDocument: (id) => readDocument(id, sourceOf()) }
  const keys = await signingKeys(state, clock())
  const provider = new Provider(auth_url, configuration(dependencies, storage, resource, keys))
  usePublicAddress(provider, auth_url)
  provider.use(answerFaults)
  provider.use(withoutCookie(provider.cookieName('session')))
  provider.use(normalizeRequest(resource))
  normalizeForms(provider, resource)
  provider.use(resumeDecided(provider, { state, resource, clock }, sourceOf))
  listenToEvents(provider, dependencies)
  /** The client of a request that a person at a network address answers on our own page. */
  const clientFor = (source: string, client_id: string) =>
    storageAdapter({ ...storage, readDocument: (id) => readDocument(id, source) }, 'Client').find(client_id)
  // `answer` answers a Node request.
  return { provider, answer: provider.callback(), clients: storageAdapter(storage, 'Client'), clientFor }
}

function configuration(
  { settings, state }: AccountDependencies,
  storage: StorageContext,
  resource: string,
  keys: JWK[],
): Configuration {
  const { auth_url, site_url } = addresses(settings)
  const assertOwnResource = (requested: unknown) => {
    if (requested !== undefined && requested !== resource)
      throw new errors.InvalidTarget(`the only resource here is ${resource}`)
  }
  return {
    adapter: (model: string) => libraryAdapter(storage, model),
    jwks: { keys },
    cookies: cookieConfiguration(state.peppers, auth_url),
    routes: ROUTES,
    responseTypes: ['code'],
    scopes: [SCOPE],
    claims: {},
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    features: {
      devInteractions: DISABLED,
      userinfo: DISABLED,
      pushedAuthorizationRequests: DISABLED,
      dPoP: DISABLED,
      rpInitiatedLogout: DISABLED,
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, requested) {
          assertOwnResource(requested)
          const jwt = { sign: { alg: 'ES256' } } as const
          return { scope: SCOPE, audience: resource, accessTokenFormat: 'jwt', jwt }
        },
      },
    },
    ttl: LIFETIMES,
    // A client connects to an account; the site has already authenticated the person who owns it.
    async findAccount(_ctx, id) {
      const search = state.db.selectFrom('accounts').select('id').where('id', '=', id)
      const row = await search.executeTakeFirst().catch((error) => {
        throw asLibraryError(error)
      })
      return row && { accountId: id, claims: () => ({ sub: id }) }
    },
    extraTokenClaims: (_ctx, token) => ({ grant_id: 'grantId' in token ? token.grantId : undefined }),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: (ctx) => {
      // Checked before the old token is consumed, so that a wrong resource does not end the client's connection.
      assertOwnResource(ctx.oidc.params?.resource)
      return true
    },
    // The owner ends a connection; the end of a browser session does not.
    expiresWithSession: () => false,
    // Each approval creates one connection; an earlier approval is never reused.
    loadExistingGrant: async (ctx) => {
      const grant_id = ctx.oidc.result?.consent?.grantId
      return grant_id ? ctx.oidc.provider.Grant.find(grant_id) : undefined
    },
    clientBasedCORS: () => true,
    interactions: {
      policy: interactionPolicy.base(),
      url: (_ctx, { uid }: Interaction) => `${site_url}/connect-mcp?request=${uid}`,
    },
    renderError: renderFault,
  }
}

/** Answers what fails before the library takes a request as the library answers its own errors. */
const answerFaults: Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    const error = asLibraryError(thrown)
    if (!(error instanceof errors.OIDCProviderError)) throw thrown
    ctx.status = error.statusCode
    if (error.cause instanceof HoldshortError) ctx.set(retryAfter(error.cause))
    renderFault(ctx, { error: error.message, error_description: error.error_description ?? '' })
  }
}

function cookieConfiguration({ all }: Peppers, auth_url: string): Configuration['cookies'] {
  const secure = auth_url.startsWith('https:')
  const name = (purpose: string) => `${secure ? '__Secure-' : ''}hs_oauth_${purpose}`
  const attributes = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const
  return {
    keys: all.map((pepper) => derivedKey(pepper, 'oauth cookies').toString('base64url')),
    names: { session: name('session'), interaction: name('interaction'), resume: name('resume') },
    short: attributes,
    long: attributes,
  }
}

/** Logs errors of the library, and extends the expiry of a client when it gets a token. */
function listenToEvents(provider: Provider, { state, logger, clock = Date.now }: AccountDependencies): void {
  const failed = (error: Error) => logger?.error({ err: error }, 'the authorization server failed')
  provider.on('server_error', (_ctx, error) => failed(error))
  // Missing in the library's types: errors that Koa would print to stderr otherwise.
  ;(provider as EventEmitter).on('error', failed)
  provider.on('grant.success', (ctx) => {
    const { client } = ctx.oidc
    if (client)
      extendClientExpiry(state, client.clientId, clock()).catch((error) =>
        logger?.error({ err: error }, 'the expiry of a client could not be extended'),
      )
  })
}

/** Uses the public address of the settings, so that neither a Host header nor a proxy's header can change it. */
function usePublicAddress({ request }: Provider, auth_url: string): void {
  const { protocol, host } = new URL(auth_url)
  Object.defineProperty(request, 'protocol', { get: () => protocol.slice(0, -1) })
  Object.defineProperty(request, 'host', { get: () => host })
}

/** Reads clients whose id is the address of their metadata document. Requests for documents are limited per source. */
function documentReader({ settings, state, egress, clock = Date.now }: AccountDependencies) {
  const documents = new ClientDocuments(egress ?? guardedFetch(settings.outward_allow), clock)
  return async (client_id: string, source: string | null): Promise<AdapterPayload | undefined> => {
    if (!isDocumentAddress(client_id)) return undefined
    const countRequest = () =>
      takeRegistrationSlot(state, 'client document', clientCaps(settings), source ?? 'unknown', clock())
    return { ...(await documents.read(client_id, countRequest)) }
  }
}
