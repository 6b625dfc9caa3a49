/** Names that lead to nobody on the internet (RFC 2606, 6761, 6762, 8375, and `internal` of ICANN). */
const RESERVED =
  /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|test|localhost|local|localdomain|internal|home\.arpa)$/

/** Whether a host is a reserved name, a name without a domain, or an address of a machine. */
export function isReservedHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return RESERVED.test(name) || !name.includes('.') || /^[\d.]+$/.test(name)
}
