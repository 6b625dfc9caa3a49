import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { HoldshortError } from '../../config/errors.ts'
import { guardedLookup, isAllowedAddress, listContains, networkList } from '../../config/networks.ts'
import { once } from '../../config/once.ts'

export interface EgressRequest {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** Time limit of the whole exchange, in milliseconds. */
  timeout_ms: number
  /** Maximum size of the response body, in bytes; with 0 the status is the whole response, and no body is read. */
  max_bytes: number
}

export interface EgressResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A response of more bytes than the request allows. */
export class OversizedResponseError extends HoldshortError {
  constructor(message: string) {
    super('OUTWARD_FAILED', message)
  }
}

/** Sends a request to an address that a stranger has supplied. */
export type GuardedFetch = (url: string, request: EgressRequest) => Promise<EgressResponse>

/**
 * Makes requests to addresses that strangers supply (client metadata, push endpoints), protected against server-side request
 * forgery: https only, no redirects, no credentials, no private network. The name is resolved once, and the connection goes
 * to the address that was checked (DNS rebinding).
 * `allowed`: networks (CIDRs) that may be requested although they are private, also over plain http.
 * @throws HoldshortError OUTWARD_REFUSED for an address that must not be requested, OUTWARD_FAILED without a usable response;
 * OversizedResponseError for a response of more than `max_bytes`.
 */
export function guardedFetch(allowed: readonly string[] = []): GuardedFetch {
  const allowedNetworks = networkList(allowed)
  // Loaded with the first request, because that takes a twentieth of a second of the start.
  const openNetwork = once(async () => {
    const [{ request }, { publicNetwork }] = await Promise.all([
      import('undici'),
      import('../../config/public-network.ts'),
    ])
    return { request, dispatcher: publicNetwork(allowed, undefined, privateNetwork).dispatcher }
  })
  return async (text, { method, headers = {}, body, timeout_ms, max_bytes }) => {
    const url = checkedUrl(text, allowedNetworks)
    const { request, dispatcher } = await openNetwork()
    try {
      const signal = AbortSignal.timeout(timeout_ms)
      const response = await request(url, { method, headers, body: body ?? null, signal, dispatcher, reset: true })
      if (max_bytes === 0) {
        response.body.on('error', () => undefined).destroy()
        return { status: response.statusCode, headers: response.headers, body: Buffer.alloc(0) }
      }
      const chunks: Buffer[] = []
      let bytes = 0
      // Leaving the loop by an error closes the connection.
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > max_bytes) throw new OversizedResponseError(`${url.host} sent more than ${max_bytes} bytes`)
        chunks.push(chunk)
      }
      return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
    } catch (error) {
      if (error instanceof HoldshortError) throw error
      throw new HoldshortError('OUTWARD_FAILED', `${url.host} could not be reached`, { cause: error })
    }
  }
}

/**
 * Checks an address before it is stored: the address itself, and the addresses that its name resolves to now. A name that
 * cannot be resolved now is checked when it is requested.
 * @throws HoldshortError OUTWARD_REFUSED
 */
export async function assertAllowedAddress(text: string, allowed: readonly string[] = []): Promise<void> {
  const networks = networkList(allowed)
  const { hostname } = checkedUrl(text, networks)
  if (isIP(withoutBrackets(hostname)) !== 0) return
  await new Promise<void>((done, reject) =>
    guardedLookup(networks, privateNetwork)(hostname, { all: true }, (error) =>
      error instanceof HoldshortError ? reject(error) : done(),
    ),
  )
}

const refused = (reason: string) => new HoldshortError('OUTWARD_REFUSED', reason)

const privateNetwork = () => refused('the name resolves to a private network')

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

function checkedUrl(text: string, allowedNetworks: BlockList): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url) throw refused('the address is not a URL')
  const address = withoutBrackets(url.hostname)
  const isAddress = isIP(address) !== 0
  const plainHttpAllowed = isAddress && listContains(allowedNetworks, address)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && plainHttpAllowed))
    throw refused('the address must be https')
  if (url.username !== '' || url.password !== '') throw refused('the address must not contain credentials')
  // An IP address is never looked up, so it is checked here.
  if (isAddress && !isAllowedAddress(address, allowedNetworks)) throw refused('the address is in a private network')
  return url
}
