import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { listContains, networkList } from '../../../config/networks.ts'
import type { Settings } from '../../../config/settings.ts'

const THIS_MACHINE = networkList(['127.0.0.0/8', '::1'])
const FORWARDING = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'])

/**
 * Who may read the metrics. Without a setting only this machine: the peer of the socket is judged, and what a proxy on
 * this machine passes on is not of this machine. With HOLDSHORT_METRICS_FROM the networks it names; a request that was
 * passed on is then judged by its first address, where the proxy is one of HOLDSHORT_TRUSTED_PROXIES.
 */
export function metricsAccess({ metrics_from }: Settings): (request: FastifyRequest) => boolean {
  if (metrics_from.length === 0)
    return (request) => listContains(THIS_MACHINE, peerOf(request)) && !wasPassedOn(request) && asksThisMachine(request)
  const readers = networkList(metrics_from)
  return (request) => {
    // Where the proxy is not trusted, `ip` is the proxy's own: the reader's is not known.
    if (wasPassedOn(request) && request.ip === peerOf(request)) return false
    return listContains(readers, request.ip)
  }
}

const peerOf = ({ socket }: FastifyRequest) => socket.remoteAddress ?? ''

/** Whether a proxy says so in a header, or speaks like one: HTTP/1.0 is what nginx speaks by itself, and no scraper. */
function wasPassedOn({ headers, raw }: FastifyRequest): boolean {
  const says = (name: string) => FORWARDING.has(name) || name.startsWith('x-forwarded-')
  return raw.httpVersion === '1.0' || Object.keys(headers).some(says)
}

/** Whether the Host is this machine by address or as localhost: a silent proxy passes on the public name. */
function asksThisMachine({ headers: { host = '' } }: FastifyRequest): boolean {
  const url = `http://${host}`
  const hostname = URL.canParse(url) ? new URL(url).hostname : ''
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
