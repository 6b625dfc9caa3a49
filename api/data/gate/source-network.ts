import { isIPv4, isIPv6 } from 'node:net'

/** What all that is no address counts as, so that nobody can make sources by misspelling them. */
const UNKNOWN = 'unknown'

/**
 * The network that stands for one source: an IPv4 address itself, an IPv6 address by its /64, however they are written.
 * Some proxies add the port to the address they forward; it makes no source of its own.
 */
export function sourceNetwork(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  const [unzoned = ''] = bare.split('%')
  if (isIPv4(unzoned)) return unzoned
  if (!isIPv6(unzoned)) return UNKNOWN
  // URLs have one spelling of an address: lower case, no leading zeros, no dotted tail, the longest zeros as `::`.
  const canonical = new URL(`http://[${unzoned}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...tail]
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`
  // An IPv4 address in its IPv6 form.
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
