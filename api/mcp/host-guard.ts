import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { addresses, type Settings } from '../../config/settings.ts'

/**
 * Refuses requests whose Host or Origin names neither this service nor this machine: a page that rebinds its own name
 * to our address (DNS rebinding) must not speak to us with a visitor's browser. Plain IP addresses cannot be rebound.
 */
export function hostGuard(settings: Settings) {
  const { site_url, mcp_url, auth_url } = addresses(settings)
  const names = new Set([
    'localhost',
    settings.host,
    ...[site_url, mcp_url, auth_url].map((url) => new URL(url).hostname),
  ])
  const known = (url: string) => {
    const hostname = URL.canParse(url) ? new URL(url).hostname : ''
    return names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  }
  return ({ headers }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { host = '', origin } = headers
    if (known(`http://${host}`) && (origin === undefined || known(origin))) return done()
    const message = known(`http://${host}`) ? 'this Origin is not allowed' : 'this Host is not served here'
    reply
      .code(403)
      .type('application/json')
      .send(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
  }
}
