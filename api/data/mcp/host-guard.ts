import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { LRUCache } from 'lru-cache'
import { addresses } from '../../../config/addresses.ts'
import type { Settings } from '../../../config/settings.ts'
import { REFUSED, sendRpcError } from './rpc-error.ts'

/**
 * Refuses requests whose Host or Origin names neither this service nor this machine. This prevents DNS rebinding, where a
 * page points its own name to our address and sends requests from a visitor's browser. IP addresses cannot be rebound.
 * Pages of the origins in the setting `mcp_origins` are allowed too, with our own Host.
 */
export function hostGuard(settings: Settings) {
  const { site_url, mcp_url, auth_url } = addresses(settings)
  const names = new Set([
    'localhost',
    settings.host,
    new URL(site_url).hostname,
    new URL(mcp_url).hostname,
    new URL(auth_url).hostname,
  ])
  // Nearly all requests have one of a few values; parsing them each time costs more than the gate.
  const results = new LRUCache<string, boolean>({ max: 100 })
  const isKnown = (url: string) => {
    const cached = results.get(url)
    if (cached !== undefined) return cached
    const hostname = URL.canParse(url) ? new URL(url).hostname : ''
    const result = names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    results.set(url, result)
    return result
  }
  const allowedOrigins = new Set(settings.mcp_origins)
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { host = '', origin } = headers
    const hostIsKnown = isKnown(`http://${host}`)
    if (hostIsKnown && (origin === undefined || allowedOrigins.has(origin) || isKnown(origin))) return done()
    const message = hostIsKnown ? 'this Origin is not allowed' : 'this Host is not served here'
    sendRpcError(reply, 403, REFUSED, message)
  }
}
