/** Names that lead to nobody on the internet (RFC 2606, 6761, 6762, 8375, and `internal` of ICANN). */
const RESERVED =
  /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|test|localhost|local|localdomain|internal|home\.arpa)$/

/** Whether a host is a reserved name, a name without a domain, or an address of a machine. */
export function isReservedHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return RESERVED.test(name) || !name.includes('.') || /^[\d.]+$/.test(name)
}

/** The reserved host of a contact that is an email address or a URI (https or mailto); null for any other text. */
export function reservedHostOf(contact: string): string | null {
  const uri = /^[^\s@:/]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : contact
  if (!/^(?:https?|mailto):/i.test(uri) || !URL.canParse(uri)) return null
  const { protocol, hostname, pathname } = new URL(uri)
  const hosts = protocol === 'mailto:' ? pathname.split(',').map((one) => one.split('@').at(-1)!.trim()) : [hostname]
  return hosts.find(isReservedHost) ?? null
}
