import { HoldshortError } from '../../../config/errors.ts'
import type { EgressResponse, GuardedFetch } from '../egress/guarded-fetch.ts'
import { type ClientMetadata, ClientMetadataError, clientMetadata } from './client-metadata.ts'

const TIMEOUT_MS = 5_000
/** More than the draft's 5 KB: some list many addresses. */
const MOST_BYTES = 32_768
const MOST_CHARACTERS = 500
const MOST_KEPT = 1_000
/** Bounds of what a document's own Cache-Control may ask for, and what holds where it says nothing. */
const [LEAST_SECONDS, USUAL_SECONDS, MOST_SECONDS] = [60, 3_600, 86_400]
/** A fault is remembered only long enough that it cannot be asked for in a loop. */
const FAULT_SECONDS = 30

/** Whether a client's id is the address of a document about it: https, with a path, nothing hidden in it. */
export function isDocumentAddress(client_id: string): boolean {
  if (client_id.length > MOST_CHARACTERS || !/^https:\/\/[^/?#@\\]+\/[!-~]+$/.test(client_id)) return false
  if (/[#\\]/.test(client_id) || /\/(\.|%2e)+(\/|\?|$)/i.test(client_id) || !URL.canParse(client_id)) return false
  const { pathname, username, password } = new URL(client_id)
  return pathname !== '/' && username === '' && password === ''
}

type Read = ClientMetadata | ClientMetadataError

interface Kept {
  read: Read
  /** Until when it is used without asking again. */
  until: number
  /** Until when it stands in while its site gives no answer: connected clients must not fall with it. */
  stands_in_until: number
}

/** Reads what clients say of themselves at the address that is their id (Client ID Metadata Documents), and remembers it a while. */
export class ClientDocuments {
  readonly #ask: GuardedFetch
  readonly #clock: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #asking = new Map<string, Promise<Read>>()

  constructor(ask: GuardedFetch, clock: () => number) {
    this.#ask = ask
    this.#clock = clock
  }

  /**
   * The client at an address; `mayAsk` is awaited before its site is asked, and throws where that would be too often.
   * @throws ClientMetadataError for an address without a usable document.
   */
  async read(address: string, mayAsk: () => Promise<void>): Promise<ClientMetadata> {
    const kept = this.#kept.get(address)
    const read = kept && kept.until > this.#clock() ? kept.read : await this.#askOnce(address, mayAsk)
    if (read instanceof ClientMetadataError) throw read
    return read
  }

  async #askOnce(address: string, mayAsk: () => Promise<void>): Promise<Read> {
    await mayAsk()
    const asking = this.#asking.get(address) ?? this.#fetch(address)
    this.#asking.set(address, asking)
    return asking.finally(() => this.#asking.delete(address))
  }

  async #fetch(address: string): Promise<Read> {
    const now = this.#clock()
    const before = this.#kept.get(address)
    let kept: Kept
    try {
      const headers = { accept: 'application/json' }
      const limits = { timeout_ms: TIMEOUT_MS, max_bytes: MOST_BYTES }
      const answer = await this.#ask(address, { method: 'GET', headers, ...limits })
      const until = now + secondsToKeep(answer.headers['cache-control']) * 1000
      kept = { read: clientOf(address, answer), until, stands_in_until: now + MOST_SECONDS * 1000 }
    } catch (error) {
      const until = now + FAULT_SECONDS * 1000
      const silent = error instanceof HoldshortError && error.code === 'OUTWARD_FAILED'
      if (silent && before && now < before.stands_in_until) kept = { ...before, until }
      else kept = { read: faultOf(error), until, stands_in_until: 0 }
    }
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(address, kept)
    return kept.read
  }
}

const refused = (why: string) =>
  new ClientMetadataError('invalid_client_metadata', `the client’s metadata document: ${why}`)

function faultOf(error: unknown): ClientMetadataError {
  if (error instanceof ClientMetadataError) return error
  if (error instanceof HoldshortError) return refused(error.message)
  throw error
}

function clientOf(address: string, { status, headers, body }: EgressResponse): ClientMetadata {
  if (status !== 200) throw refused(`its address answered ${status}`)
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw refused('is not application/json')
  const said = parsed(body)
  if (said.client_id !== address) throw refused('its client_id is not its address')
  if ('client_secret' in said || 'client_secret_expires_at' in said) throw refused('must not hold a secret')
  if (/^client_secret_/.test(String(said.token_endpoint_auth_method)))
    throw refused('must not ask for authentication by a shared secret')
  return clientMetadata(address, said)
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const said: unknown = JSON.parse(body.toString('utf8'))
    if (typeof said === 'object' && said !== null && !Array.isArray(said)) return said as Record<string, unknown>
  } catch {
    // Told below, as every other thing that is no object.
  }
  throw refused('is not a JSON object')
}

function secondsToKeep(cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return LEAST_SECONDS
  const asked = /\bmax-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, asked === undefined ? USUAL_SECONDS : Number(asked)))
}
