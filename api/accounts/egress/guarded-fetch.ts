import { lookup as resolve } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { HoldshortError } from '../../../config/errors.ts'
import { listContains, networkList } from '../../../config/networks.ts'

/** Networks that an address given by a stranger must not lead into (RFC 6890, and what clouds keep their secrets at). */
const CLOSED = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

export interface EgressRequest {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** Milliseconds for the whole exchange. */
  timeout_ms: number
  /** Bytes of an answer at most. */
  max_bytes: number
}

export interface EgressResponse {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Asks addresses that strangers have given. */
export type GuardedFetch = (url: string, request: EgressRequest) => Promise<EgressResponse>

/**
 * The door for addresses that strangers give (client metadata, push endpoints). https only, no redirects, no credentials, no
 * private network; the name is resolved once and that very address connected to, so that it cannot be another by then.
 * `allowed`: networks (CIDRs) that are let through all the same, plain http too.
 * @throws HoldshortError OUTWARD_REFUSED for an address that may not be asked, OUTWARD_FAILED without a usable answer.
 */
export function guardedFetch(allowed: readonly string[] = []): GuardedFetch {
  const open = networkList(allowed)
  const lookup = guardedLookup(open)
  return (text, { method, headers = {}, body, timeout_ms, max_bytes }) =>
    new Promise((done, fail) => {
      const url = allowedUrl(text, open)
      const failed = (message: string, cause?: unknown) =>
        fail(
          cause instanceof HoldshortError
            ? cause
            : new HoldshortError('OUTWARD_FAILED', `${url.host} ${message}`, { cause }),
        )
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
      const request = ask(
        url,
        { method, headers: { ...headers, ...length }, lookup, agent: false, signal: AbortSignal.timeout(timeout_ms) },
        (answer) => {
          const chunks: Buffer[] = []
          let bytes = 0
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes <= max_bytes) return void chunks.push(chunk)
            request.destroy()
            failed(`answered with more than ${max_bytes} bytes`)
          })
          answer.on('error', (error) => failed('broke off', error))
          answer.on('end', () =>
            done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      request.on('error', (error) => failed('could not be asked', error))
      request.end(body)
    })
}

/**
 * Judges an address before it is kept, by what it is and by what its name leads to now; a name that cannot be found now is
 * judged when it is asked.
 * @throws HoldshortError OUTWARD_REFUSED
 */
export async function assertAllowedAddress(text: string, allowed: readonly string[] = []): Promise<void> {
  const open = networkList(allowed)
  const { hostname } = allowedUrl(text, open)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return
  await new Promise<void>((done, fail) =>
    guardedLookup(open)(hostname, { all: true }, (error) => (error instanceof HoldshortError ? fail(error) : done())),
  )
}

const refused = (why: string) => new HoldshortError('OUTWARD_REFUSED', why)

function allowedUrl(text: string, open: BlockList): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url) throw refused('the address is no URL')
  const address = url.hostname.replace(/^\[|\]$/g, '')
  const letThrough = isIP(address) !== 0 && listContains(open, address)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && letThrough)) throw refused('the address must be https')
  if (url.username !== '' || url.password !== '') throw refused('the address must carry no credentials')
  // A plain address is never looked up, so it is judged here.
  if (isIP(address) !== 0 && !mayBeAsked(address, open)) throw refused('the address lies in a private network')
  return url
}

const mayBeAsked = (address: string, open: BlockList) => listContains(open, address) || !listContains(CLOSED, address)

/** A look-up that gives public addresses only; one private address among them refuses the name. */
function guardedLookup(open: BlockList): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const first = addresses[0]
      if (!first || !addresses.every(({ address }) => mayBeAsked(address, open)))
        return done(refused('the name leads into a private network') as NodeJS.ErrnoException, '')
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}
