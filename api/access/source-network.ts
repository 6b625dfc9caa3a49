import { isIPv6 } from 'node:net'

/** The network that stands for one source: an IPv4 address itself, an IPv6 address by its /64. */
export function sourceNetwork(address: string): string {
  const bare = address.split('%')[0]!
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped) return mapped[1]!
  if (!isIPv6(bare)) return bare
  const [head = '', tail] = bare.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    const tailLength = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
    while (groups.length + tailLength < 8) groups.push('0')
    groups.push(...after)
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
