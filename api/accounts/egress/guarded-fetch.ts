import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type BlockList, isIP } from 'node:net'
import { HoldshortError } from '../../../config/errors.ts'
import { guardedLookup, isAllowedAddress, listContains, networkList } from '../../../config/networks.ts'

export interface EgressRequest {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** Time limit of the whole exchange, in milliseconds. */
  timeout_ms: number
  /** Maximum size of the response body, in bytes. */
  max_bytes: number
}

export interface EgressResponse {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Sends a request to an address that a stranger has supplied. */
export type GuardedFetch = (url: string, request: EgressRequest) => Promise<EgressResponse>

/**
 * Makes requests to addresses that strangers supply (client metadata, push endpoints), protected against server-side request
 * forgery: https only, no redirects, no credentials, no private network. The name is resolved once, and the connection goes
 * to the address that was checked (DNS rebinding).
 * `allowed`: networks (CIDRs) that may be requested although they are private, also over plain http.
 * @throws HoldshortError OUTWARD_REFUSED for an address that must not be requested, OUTWARD_FAILED without a usable response.
 */
export function guardedFetch(allowed: readonly string[] = []): GuardedFetch {
  const allowedNetworks = networkList(allowed)
  const lookup = publicLookup(allowedNetworks)
  return (text, { method, headers = {}, body, timeout_ms, max_bytes }) =>
    new Promise((done, reject) => {
      const url = checkedUrl(text, allowedNetworks)
      const fail = (message: string, cause?: unknown) =>
        reject(
          cause instanceof HoldshortError
            ? cause
            : new HoldshortError('OUTWARD_FAILED', `${url.host} ${message}`, { cause }),
        )
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const request = send(
        url,
        { method, headers: { ...headers, ...length }, lookup, agent: false, signal: AbortSignal.timeout(timeout_ms) },
        (response) => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes <= max_bytes) return void chunks.push(chunk)
            request.destroy()
            fail(`sent more than ${max_bytes} bytes`)
          })
          response.on('error', (error) => fail('closed the connection early', error))
          response.on('end', () =>
            done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      request.on('error', (error) => fail('could not be reached', error))
      request.end(body)
    })
}

/**
 * Checks an address before it is stored: the address itself, and the addresses that its name resolves to now. A name that
 * cannot be resolved now is checked when it is requested.
 * @throws HoldshortError OUTWARD_REFUSED
 */
export async function assertAllowedAddress(text: string, allowed: readonly string[] = []): Promise<void> {
  const allowedNetworks = networkList(allowed)
  const { hostname } = checkedUrl(text, allowedNetworks)
  if (isIP(withoutBrackets(hostname)) !== 0) return
  await new Promise<void>((done, reject) =>
    publicLookup(allowedNetworks)(hostname, { all: true }, (error) =>
      error instanceof HoldshortError ? reject(error) : done(),
    ),
  )
}

const refused = (reason: string) => new HoldshortError('OUTWARD_REFUSED', reason)

const publicLookup = (allowedNetworks: BlockList) =>
  guardedLookup(allowedNetworks, () => refused('the name resolves to a private network'))

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
