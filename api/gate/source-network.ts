import { isIPv4, isIPv6 } from 'node:net'
import { bareAddress } from '../../config/networks.ts'

/** Every text that is not an address counts as this one source, so that misspelled addresses create no new sources. */
const UNKNOWN = 'unknown'

/**
 * The network that identifies one source: an IPv4 address itself, or the /64 of an IPv6 address, in one canonical spelling.
 * A client that has gone has no address.
 */
export function sourceNetwork(address: string | undefined): string {
  if (address === undefined) return UNKNOWN
  const bare = bareAddress(address)
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return UNKNOWN
  // The URL parser gives the canonical spelling: lower case, no leading zeros, no dotted tail, longest run of zeros as `::`.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...tail]
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`
  // An IPv4 address in its IPv6 form.
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
