import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Addresses as settings: each is refused unless the service can use every part of it. Messages never repeat the address, which may hold a password. */

/** The allowed parts of an address. */
interface UrlRule {
  /** The schemes, without colon. */
  schemes: readonly string[]
  /** Whether a user and a password may stand in it. */
  credentials: boolean
  /** The allowed part after the host: none, a path, or a pattern; and whether a query. */
  path: 'none' | 'any' | { pattern: RegExp; allowed: string }
  query: boolean
  /** Whether clients get the address, so that its host must be one that they can open. */
  isOpened?: boolean
  example: string
}

/** Kinds of IP addresses that stand for no machine. */
const NO_MACHINE = ['unspecified', 'broadcast', 'multicast']

/** Whether nobody can open an address of a host: `0.0.0.0` and `::` are where a server listens, and `.invalid` never has a machine (RFC 6761). */
function isUnopenable(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(bare)) return NO_MACHINE.includes(ipaddr.process(bare).range())
  return /(?:^|\.)invalid\.?$/.test(bare)
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The first part of an address that the service cannot use; null when it can use all. */
function faultOfUrl(
  text: string,
  { schemes, credentials, path, query, isOpened = false, example }: UrlRule,
): string | null {
  const like = `must be like ${example}`
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null || !schemes.includes(url.protocol.slice(0, -1)))
    return `${like}: an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`
  if (!/^[\x21-\x7e]+$/.test(text)) return `${like}, without white space and in ASCII`
  if (!isDecodable(url.username) || !isDecodable(url.password) || !isDecodable(url.pathname))
    return `${like}; a % in it must be followed by two hexadecimal digits (write % as %25)`
  const isHostless = url.hostname === '' && !(query && url.searchParams.has('host'))
  if (isHostless || /[,*]/.test(url.hostname)) return `${like}, with one host`
  if (isOpened && isUnopenable(url.hostname))
    return `${like}: nobody can open an address of ${url.hostname} (where the service listens is HOLDSHORT_HOST)`
  if (url.port === '0') return `${like}; its port must be 1 to 65535`
  if (!credentials && (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)))
    return `${like}, without a user or password`
  if (path === 'none' && url.pathname !== '/' && url.pathname !== '')
    return `${like}, without a path: the service needs a host name of its own, such as waits.airport.aero`
  if (typeof path === 'object' && !path.pattern.test(url.pathname)) return `${like}, ${path.allowed}`
  if (text.includes('#')) return `${like}, without a fragment (write a # in a password as %23)`
  if (!query && text.includes('?')) return `${like}, without a query`
  return null
}

const urlSetting = (rule: UrlRule) =>
  z.string().superRefine((text, context) => {
    const message = faultOfUrl(text, rule)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

const WEB = ['https', 'http']

/** A public address of this service: scheme, host and port, as browsers write them. Its routes, cookies and documents are of the whole host. */
export const publicOrigin = urlSetting({
  schemes: WEB,
  credentials: false,
  path: 'none',
  query: false,
  isOpened: true,
  example: 'https://waits.airport.aero',
}).transform((text) => new URL(text).origin)

/** The address of another server that is requested over HTTP; its paths are the service's. */
export const serverOrigin = urlSetting({
  schemes: WEB,
  credentials: false,
  path: 'none',
  query: false,
  example: 'https://api.example.com',
})

/** An address below which paths are requested over HTTP. */
export const httpBase = urlSetting({
  schemes: WEB,
  credentials: false,
  path: 'any',
  query: false,
  example: 'http://127.0.0.1:8090',
})

/** An address that is requested as it is. */
export const requestedUrl = urlSetting({
  schemes: WEB,
  credentials: false,
  path: 'any',
  query: true,
  example: 'https://watchdog.example.com/ping/1f7c',
})

export const redisUrl = urlSetting({
  schemes: ['redis', 'rediss'],
  credentials: true,
  path: { pattern: /^(?:\/\d{0,5})?$/, allowed: 'with nothing or the number of a database after the host' },
  query: true,
  example: 'redis://:password@host:6379/0',
})

export const postgresUrl = urlSetting({
  schemes: ['postgresql', 'postgres'],
  credentials: true,
  path: { pattern: /^\/[^/]+$/, allowed: 'with the name of a database after the host' },
  query: true,
  example: 'postgresql://user:password@host:5432/database',
})

/** The address of a service like this one, or of its MCP server. */
export const serviceAddress = urlSetting({
  schemes: WEB,
  credentials: false,
  path: { pattern: /^\/(mcp\/?)?$/, allowed: 'without a path other than /mcp' },
  query: false,
  example: 'https://waits.example.net',
})
