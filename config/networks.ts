import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Parses networks, each an address or a CIDR (10.0.0.0/8, ::1).
 * @throws Error for any other text
 */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix, ...more] = network.split('/')
    const usable = isIP(address) !== 0 && more.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix))
    if (!usable) throw new Error(`${network} is not an address or CIDR`)
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

/** Whether a list contains an address; also matches IPv4 addresses in their IPv6 form. */
export function listContains(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%')
  return isIP(bare) !== 0 && list.check(bare, familyOf(bare))
}
