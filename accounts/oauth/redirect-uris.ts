const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]'])
const MAX_CHARACTERS = 2_000

/** Schemes that the browser or the operating system handles itself instead of opening an app. */
const SYSTEM_SCHEMES =
  /^(javascript|vbscript|data|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|tel|sms|intent|jar|res|resource|chrome|edge|opera|[a-z-]*extension|ms-.*|search-ms|search|ldap|ssh|telnet|vnc|smb|afp|itms.*|x-apple.*|apple-.*|android-.*|shell|unsafe|livescript|mocha|cid|mid|urn|http.*):$/

/** Whether a redirect URI leads to an app on the person's own computer, whose port changes at each start (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && LOOPBACKS.has(hostname)
}

/** Whether a redirect URI opens an app that has registered its scheme, such as cursor: or vscode:. */
export function isAppScheme(uri: string): boolean {
  return !/^https?:$/.test(new URL(uri).protocol)
}

/** Why a redirect URI is invalid; null when it is valid. */
export function redirectFault(uri: string): string | null {
  if (uri.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`
  if (/[^!-~]|[\\<>"`{}|^]/.test(uri)) return 'must be a URI in printable ASCII'
  if (uri.includes('*')) return 'must not contain wildcards'
  if (uri.includes('#')) return 'must not have a fragment'
  const url = URL.canParse(uri) ? new URL(uri) : null
  if (!url) return 'must be an absolute URI'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri))
    return 'must not contain credentials'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:')
    return LOOPBACKS.has(url.hostname)
      ? null
      : 'must be https, or http to a loopback address of the person’s own computer'
  if (SYSTEM_SCHEMES.test(url.protocol) || !/^[a-z][a-z0-9+.-]{2,60}:$/.test(url.protocol))
    return `must not use the scheme ${url.protocol.slice(0, 40)}`
  return null
}
