import { LRUCache } from 'lru-cache'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import { getOrCreate } from '../../config/once.ts'
import { type EgressResponse, type GuardedFetch, OversizedResponseError } from '../egress/guarded-fetch.ts'
import { type ClientMetadata, ClientMetadataError, clientMetadata, presentMembers } from './client-metadata.ts'

const TIMEOUT_MS = 5_000
/** More than the 5 KB of the draft, because some clients list many redirect addresses. */
const MAX_BYTES = 32_768
const MAX_ADDRESS_CHARACTERS = 500
const MAX_CACHED_DOCUMENTS = 1_000
/** Bounds of the lifetime that a document's Cache-Control may set, and the lifetime without one. */
const MIN_CACHE_SECONDS = 60
const DEFAULT_CACHE_SECONDS = 3_600
const MAX_CACHE_SECONDS = 86_400
/** A failure is cached only as long as needed to prevent requests in a loop. */
const FAILURE_CACHE_SECONDS = 30

/** Whether a client id is the address of a metadata document: https, with a path, without dot segments or credentials. */
export function isDocumentAddress(client_id: string): boolean {
  if (client_id.length > MAX_ADDRESS_CHARACTERS || !/^https:\/\/[^/?#@\\]+\/[!-~]+$/.test(client_id)) return false
  if (/[#\\]/.test(client_id) || /\/(\.|%2e)+(\/|\?|$)/i.test(client_id) || !URL.canParse(client_id)) return false
  const { pathname, username, password } = new URL(client_id)
  return pathname !== '/' && username === '' && password === ''
}

/** A client, why its document is unusable, or why it cannot be read now. */
type DocumentResult = ClientMetadata | ClientMetadataError | HoldshortError

interface CachedDocument {
  result: DocumentResult
  /** Used without a new request until then. */
  fresh_until: number
  /** Used until then even if its site does not respond, so that connected clients keep working. */
  stale_until: number
}

/** Fetches and caches the metadata documents of clients whose id is an address (OAuth Client ID Metadata Documents). */
export class ClientDocuments {
  readonly #fetch: GuardedFetch
  readonly #clock: () => number
  readonly #cached = new LRUCache<string, CachedDocument>({ max: MAX_CACHED_DOCUMENTS })
  readonly #requests = new Map<string, Promise<DocumentResult>>()

  constructor(fetch: GuardedFetch, clock: () => number) {
    this.#fetch = fetch
    this.#clock = clock
  }

  /**
   * The client at an address. `countRequest` is awaited before its site is requested, and throws if that is too often.
   * @throws ClientMetadataError for an address without a usable document; HoldshortError OUTWARD_FAILED while its site cannot
   * answer, RateLimitedError for too many requests.
   */
  async read(address: string, countRequest: () => Promise<void>): Promise<ClientMetadata> {
    const cached = this.#cached.get(address)
    const left = cached === undefined ? 0 : cached.fresh_until - this.#clock()
    // More than the longest lifetime is left where it was cached while the clock was ahead.
    const isFresh = cached !== undefined && left > 0 && left <= MAX_CACHE_SECONDS * 1000
    const result = isFresh ? cached.result : await this.#requestOnce(address, countRequest)
    if (result instanceof Error) throw result
    return result
  }

  /** Concurrent reads of one address share a request. */
  async #requestOnce(address: string, countRequest: () => Promise<void>): Promise<DocumentResult> {
    try {
      await countRequest()
    } catch (error) {
      const stale = error instanceof RateLimitedError ? this.#staleOf(address) : undefined
      if (stale) return stale.result
      throw error
    }
    const request = getOrCreate(this.#requests, address, () => this.#request(address))
    return request.finally(() => this.#requests.delete(address))
  }

  async #request(address: string): Promise<DocumentResult> {
    const now = this.#clock()
    let document: CachedDocument
    try {
      const headers = { accept: 'application/json' }
      const limits = { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
      const response = await this.#fetch(address, { method: 'GET', headers, ...limits })
      const fresh_until = now + cacheSeconds(response.headers['cache-control']) * 1000
      document = { result: clientOf(address, response), fresh_until, stale_until: now + MAX_CACHE_SECONDS * 1000 }
    } catch (error) {
      const fresh_until = now + FAILURE_CACHE_SECONDS * 1000
      const result = failureOf(error)
      const stale = result instanceof ClientMetadataError ? undefined : this.#staleOf(address)
      document = stale ? { ...stale, fresh_until } : { result, fresh_until, stale_until: 0 }
    }
    this.#cached.set(address, document)
    return document.result
  }

  /** A cached document that is used while its site cannot be requested or does not answer. */
  #staleOf(address: string): CachedDocument | undefined {
    const cached = this.#cached.get(address)
    return cached && this.#clock() < cached.stale_until ? cached : undefined
  }
}

const invalidDocument = (reason: string) =>
  new ClientMetadataError('invalid_client_metadata', `the client’s metadata document: ${reason}`)

/** Why a document is unusable (ClientMetadataError) or its site cannot answer now (HoldshortError). */
function failureOf(error: unknown): ClientMetadataError | HoldshortError {
  if (error instanceof ClientMetadataError) return error
  if (!(error instanceof HoldshortError)) throw error
  const isTemporary = error.code === 'OUTWARD_FAILED' && !(error instanceof OversizedResponseError)
  return isTemporary ? error : invalidDocument(error.message)
}

function clientOf(address: string, { status, headers, body }: EgressResponse): ClientMetadata {
  if (status === 429 || status >= 500)
    throw new HoldshortError('OUTWARD_FAILED', `${new URL(address).host} answered ${status}`)
  if (status !== 200) throw invalidDocument(`its address answered ${status}`)
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw invalidDocument('is not application/json')
  const document = parsed(body)
  if (document.client_id !== address) throw invalidDocument('its client_id is not its address')
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    throw invalidDocument('must not contain a secret')
  if (/^client_secret_/.test(String(document.token_endpoint_auth_method)))
    throw invalidDocument('must not require authentication with a shared secret')
  return clientMetadata(address, document)
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(body.toString('utf8'))
    if (isObject(document)) return presentMembers(document)
  } catch {
    // Reported below like any other document that is not an object.
  }
  throw invalidDocument('is not a JSON object')
}

function cacheSeconds(cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_CACHE_SECONDS
  const maxAge = /\bmax-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  const seconds = maxAge === undefined ? DEFAULT_CACHE_SECONDS : Number(maxAge)
  return Math.min(MAX_CACHE_SECONDS, Math.max(MIN_CACHE_SECONDS, seconds))
}
