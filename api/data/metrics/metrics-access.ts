import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { listContains, networkList } from '../../../config/networks.ts'
import type { Settings } from '../../../config/settings.ts'

const THIS_MACHINE = networkList(['127.0.0.0/8', '::1'])
const FORWARDING_HEADERS = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
])

/**
 * Returns whether a request may read the metrics. Without a setting, only clients on this machine may: the peer of the
 * socket decides, and a request forwarded by a proxy on this machine is refused. With HOLDSHORT_METRICS_FROM, clients in
 * those networks may; the client's address is then read from the forwarding header of a proxy in HOLDSHORT_TRUSTED_PROXIES.
 */
export function metricsAccess({ metrics_from }: Settings): (request: FastifyRequest) => boolean {
  if (metrics_from.length === 0)
    return (request) =>
      listContains(THIS_MACHINE, peerOf(request)) && !wasForwarded(request) && hostIsThisMachine(request)
  const readers = networkList(metrics_from)
  return (request) => {
    // Behind an untrusted proxy, `ip` is the proxy's address and the client's is not known.
    if (wasForwarded(request) && request.ip === peerOf(request)) return false
    return listContains(readers, request.ip)
  }
}

const peerOf = ({ socket }: FastifyRequest) => socket.remoteAddress ?? ''

/** Whether a proxy forwarded the request: by a header, or by HTTP/1.0, which nginx uses by default and no scraper does. */
function wasForwarded({ headers, raw }: FastifyRequest): boolean {
  const isForwardingHeader = (name: string) => FORWARDING_HEADERS.has(name) || name.startsWith('x-forwarded-')
  return raw.httpVersion === '1.0' || Object.keys(headers).some(isForwardingHeader)
}

/** Whether the Host is localhost or an IP address. A proxy that adds no header still forwards the public name as Host. */
function hostIsThisMachine({ headers: { host = '' } }: FastifyRequest): boolean {
  const url = `http://${host}`
  const hostname = URL.canParse(url) ? new URL(url).hostname : ''
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
