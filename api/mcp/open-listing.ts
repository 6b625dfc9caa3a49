import type { IncomingHttpHeaders } from 'node:http'
import { RateLimitedError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import { SourceLimit } from '../gate/source-limit.ts'

/** Requests that one network may send in a minute without a credential. */
const MAX_REQUESTS_PER_MINUTE = 60

/** Requests of a directory that describes a server. They read no account and are never billed. */
const LISTING_METHODS: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
])

/** Whether a request has no credential at all. */
export const isAnonymous = ({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders) =>
  authorization === undefined && (apiKey === undefined || apiKey === '')

/** Whether a message is part of listing a server, so that the setting `mcp_open_listing` opens it to anyone. */
export const isListing = (message: unknown) => isObject(message) && LISTING_METHODS.has(message.method)

/** Returns a function that counts one request of an address without a credential. It throws RateLimitedError (`address`). */
export function anonymousLimit(): (address: string, now: number) => void {
  const limit = new SourceLimit(MAX_REQUESTS_PER_MINUTE)
  return (address, now) => {
    const wait = limit.take(address, now)
    const message = `more than ${MAX_REQUESTS_PER_MINUTE} requests in a minute without a credential from one address; wait ${wait} s`
    if (wait > 0) throw new RateLimitedError('address', wait, message)
  }
}
