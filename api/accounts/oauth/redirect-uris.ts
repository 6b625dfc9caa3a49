const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]'])
const MOST_CHARACTERS = 2_000

/** Schemes that a browser or a system acts on itself, in place of handing the answer to an app. */
const ACTING_SCHEMES =
  /^(javascript|vbscript|data|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|tel|sms|intent|jar|res|resource|chrome|edge|opera|[a-z-]*extension|ms-.*|search-ms|search|ldap|ssh|telnet|vnc|smb|afp|itms.*|x-apple.*|apple-.*|android-.*|shell|unsafe|livescript|mocha|cid|mid|urn|http.*):$/

/** Whether an address is of an app on the person's own computer, where the port is drawn anew at each start (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && LOOPBACKS.has(hostname)
}

/** Whether an address is opened by an app that has claimed its scheme, as cursor: or vscode:. */
export function isAppScheme(uri: string): boolean {
  return !/^https?:$/.test(new URL(uri).protocol)
}

/** What is wrong with an address that answers are to be sent to; null when nothing is. */
export function redirectFault(uri: string): string | null {
  if (uri.length > MOST_CHARACTERS) return `must be at most ${MOST_CHARACTERS} characters`
  if (/[^!-~]|[\\<>"`{}|^]/.test(uri)) return 'must be a URI in printable ASCII'
  if (uri.includes('*')) return 'must not contain wildcards'
  if (uri.includes('#')) return 'must not have a fragment'
  const url = URL.canParse(uri) ? new URL(uri) : null
  if (!url) return 'must be an absolute URI'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri)) return 'must carry no credentials'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:')
    return LOOPBACKS.has(url.hostname)
      ? null
      : 'must be https, or http to a loopback address of the person’s own computer'
  if (ACTING_SCHEMES.test(url.protocol) || !/^[a-z][a-z0-9+.-]{2,60}:$/.test(url.protocol))
    return `must not use the scheme ${url.protocol.slice(0, 40)}`
  return null
}

/** Where an address leads, as a content policy names it; null for one it has no name for (a plain IPv6 address). */
export function policySource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  if (isAppScheme(uri)) return protocol
  // A policy cannot name IPv6 addresses.
  return hostname.startsWith('[') ? protocol : origin
}
