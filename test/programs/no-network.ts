import dns from 'node:dns'
import { isIP } from 'node:net'

/** Preloaded to simulate a machine without a network: only localhost can be resolved. */
const lookup = dns.lookup
const lookupWithoutNetwork = (host: string, ...rest: [unknown]) => {
  const done = rest.at(-1) as (error: NodeJS.ErrnoException) => void
  if (host === 'localhost' || isIP(host) > 0) return (lookup as (...all: unknown[]) => void)(host, ...rest)
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', hostname: host })
  setImmediate(() => done(error))
}
Object.assign(dns, { lookup: lookupWithoutNetwork })
