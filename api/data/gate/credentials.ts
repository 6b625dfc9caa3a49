import type { IncomingHttpHeaders } from 'node:http'
import { HoldshortError } from '../../../config/errors.ts'

const unauthorized = (message: string) => new HoldshortError('INVALID_API_KEY', message)

/**
 * The key of a request, from `Authorization: Bearer` or `X-API-Key`.
 * @throws HoldshortError INVALID_API_KEY when there is none, or one in each header.
 */
export function presentedKey(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined && apiKey !== undefined)
    throw unauthorized('send the key in Authorization or in X-API-Key, not in both')
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey
  if (authorization === undefined)
    throw unauthorized('no API key: send Authorization: Bearer <key> or X-API-Key: <key>')
  const space = authorization.indexOf(' ')
  if (authorization.slice(0, space).toLowerCase() !== 'bearer')
    throw unauthorized('the Authorization header must be "Bearer <key>"')
  return authorization.slice(space + 1).trim()
}

/** Whether a credential looks like an access token of an MCP client; keys have no dots. */
export const looksLikeToken = (presented: string) =>
  presented.includes('.') && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(presented)
