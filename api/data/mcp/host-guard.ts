import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { LRUCache } from 'lru-cache'
import { addresses, type Settings } from '../../../config/settings.ts'
import { sendRpcError } from './rpc-error.ts'

/** Code of JSON-RPC for what a server defines itself, as the SDK uses it for refusals of HTTP. */
const REFUSED = -32_000

/**
 * Refuses requests whose Host or Origin names neither this service nor this machine: a page that rebinds its own name
 * to our address (DNS rebinding) must not speak to us with a visitor's browser. Plain IP addresses cannot be rebound. Pages
 * of the origins that the operator lists (`mcp_origins`) may speak to us too, at our own Host.
 */
export function hostGuard(settings: Settings) {
  const { site_url, mcp_url, auth_url } = addresses(settings)
  const names = new Set([
    'localhost',
    settings.host,
    ...[site_url, mcp_url, auth_url].map((url) => new URL(url).hostname),
  ])
  // Of few different ones, as good as all requests are: reading them anew each time costs more than the gate.
  const verdicts = new LRUCache<string, boolean>({ max: 100 })
  const known = (url: string) => {
    const told = verdicts.get(url)
    if (told !== undefined) return told
    const hostname = URL.canParse(url) ? new URL(url).hostname : ''
    const verdict = names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    verdicts.set(url, verdict)
    return verdict
  }
  const listed = new Set(settings.mcp_origins)
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { host = '', origin } = headers
    const hostIsKnown = known(`http://${host}`)
    if (hostIsKnown && (origin === undefined || listed.has(origin) || known(origin))) return done()
    const message = hostIsKnown ? 'this Origin is not allowed' : 'this Host is not served here'
    sendRpcError(reply, 403, REFUSED, message)
  }
}
