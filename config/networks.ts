import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Names of networks of proxies, as Fastify and Express have them. */
const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

/**
 * The addresses of proxies: networks or their names.
 * @throws Error for any other text, and for all addresses: then each client could choose its own
 */
export function proxyList(networks: readonly string[]): BlockList {
  const all = networks.find((network) => /\/0+$/.test(network) || isAllOfIpv4(network))
  if (all !== undefined) throw new Error(`${all} is every address: any client could choose its own; name your proxies`)
  return networkList(networks.flatMap((network) => NAMED_NETWORKS.get(network) ?? network))
}

/** Whether a network in IPv6 form is every IPv4 address, of which its first 96 bits say no more than that. */
function isAllOfIpv4(network: string): boolean {
  const [address = '', prefix] = network.split('/')
  return prefix !== undefined && Number(prefix) <= 96 && isMapped(address)
}

const isMapped = (address: string) => ipaddr.IPv6.isValid(address) && ipaddr.IPv6.parse(address).isIPv4MappedAddress()

/** An address without the port, and the brackets, that some proxies forward with it, and without its zone. */
export function bareAddress(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  return bare.split('%')[0]!
}

/**
 * Parses networks, each an address or a CIDR (10.0.0.0/8, ::1).
 * @throws Error for any other text
 */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix, ...more] = network.split('/')
    const version = isIP(address)
    const hasBits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32))
    if (version === 0 || more.length > 0 || !hasBits) throw new Error(`${network} is not an address or CIDR`)
    // A shorter prefix than that of all of IPv4 has also other addresses.
    if (isMapped(address) && Number(prefix ?? 128) < 96) throw new Error(`${network} contains all IPv4 addresses`)
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

/** Whether a list contains an address; also matches IPv4 addresses in their IPv6 form. */
export function listContains(list: BlockList, address: string): boolean {
  const bare = bareAddress(address)
  return isIP(bare) !== 0 && list.check(bare, familyOf(bare))
}

/** All assigned public IPv6 addresses (RFC 4291 section 2.5.4). */
const GLOBAL_IPV6 = new BlockList()
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address may be requested: it is in an allowed network, or it is public, that is, no registry reserves it for
 * anything else (`unicast` in ipaddr.js). An IPv4 address in its IPv6 form counts as the IPv4 address.
 */
export function isAllowedAddress(address: string, allowed: BlockList): boolean {
  if (listContains(allowed, address)) return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || listContains(GLOBAL_IPV6, parsed.toString())
}

/**
 * A DNS lookup that returns public and allowed addresses only; a single other address refuses the whole name. A connection that
 * uses it goes to the address that was checked, so that a name cannot change its address in between (DNS rebinding).
 * `refusal` makes the error of a refused name.
 */
export function guardedLookup(
  allowed: BlockList,
  refusal: (hostname: string) => Error,
  resolver: typeof resolve = resolve,
): LookupFunction {
  return (hostname, options, done) =>
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowedAddress(address, allowed)))
        return done(refusal(hostname), '')
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}
