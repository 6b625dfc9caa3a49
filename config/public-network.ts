import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { FetchError } from './errors.ts'
import { guardedLookup, isAllowedAddress, networkList } from './networks.ts'

/**
 * The addresses that may be connected to: public ones, and networks that the operator allows. A site with its redirects and pages, or an
 * address that a stranger gave, could otherwise make us request services of this machine or of the network that it is in.
 */
export interface PublicNetwork {
  /** Returns the error of a host that is an address outside of the network; null for allowed addresses and for names. */
  refusalOfAddress: (hostname: string) => Error | null
  /** Resolves names to allowed addresses only. */
  lookup: LookupFunction
  /** For `fetch`: connects to allowed addresses only. */
  dispatcher: Dispatcher
}

/**
 * `refusal` makes the error of a host in a private network.
 * @throws Error when `allowed` has an element that is neither an address nor a CIDR
 */
export function publicNetwork(
  allowed: readonly string[],
  resolver?: Parameters<typeof guardedLookup>[2],
  refusal: (hostname: string) => Error = refusedBySettings,
): PublicNetwork {
  const networks = networkList(allowed)
  const refusalOfAddress = (hostname: string) => {
    const address = hostname.replace(/^\[|\]$/g, '')
    return isIP(address) !== 0 && !isAllowedAddress(address, networks) ? refusal(hostname) : null
  }
  const lookup = guardedLookup(networks, refusal, resolver)
  const connect = buildConnector({ lookup })
  return {
    refusalOfAddress,
    lookup,
    dispatcher: new Agent({
      connect: (options, done) => {
        // A socket never looks up an address, so it is checked here.
        const refused = refusalOfAddress(options.hostname)
        if (refused) return done(refused, null)
        connect(options, done)
      },
    }),
  }
}

const refusedBySettings = (hostname: string) =>
  new FetchError(
    'OUTWARD_REFUSED',
    `${hostname} is in a private network; if that is intended, allow the network with HOLDSHORT_OUTWARD_ALLOW`,
    { retryable: false },
  )
