import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import { shortText } from '../../config/short-text.ts'
import { SCOPE } from './constants.ts'
import { isAppScheme, isLoopback, redirectFault } from './redirect-uris.ts'

/** Invalid client metadata, with an error code of RFC 7591. */
export class ClientMetadataError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(code: ClientMetadataError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const MAX_REDIRECT_URIS = 10

const list = z.array(z.string().max(200)).max(20)
const RequestedMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: shortText().optional(),
  grant_types: list.optional(),
  response_types: list.optional(),
})

/** Metadata without its null members: clients write null for what they leave out. */
export function presentMembers(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
}

/**
 * Normalises the metadata of a client: public client, code flow, scope `read`. Unsupported optional parts are ignored, as
 * RFC 7591 §2 allows. A client with a loopback or app address is native, which allows any port.
 * @throws ClientMetadataError
 */
export function clientMetadata(client_id: string, metadata: unknown) {
  const parsed = RequestedMetadata.safeParse(isObject(metadata) ? presentMembers(metadata) : metadata)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw new ClientMetadataError(code, path.length === 0 ? 'must be a JSON object' : `${path.join('.')}: ${message}`)
  }
  const { redirect_uris, client_name, grant_types = ['authorization_code'], response_types = ['code'] } = parsed.data
  for (const uri of redirect_uris) {
    const fault = redirectFault(uri)
    if (fault) throw new ClientMetadataError('invalid_redirect_uri', `redirect_uris: ${fault}`)
  }
  if (!grant_types.includes('authorization_code'))
    throw new ClientMetadataError('invalid_client_metadata', 'grant_types: must include authorization_code')
  if (!response_types.includes('code'))
    throw new ClientMetadataError('invalid_client_metadata', 'response_types: must include code')
  const native = redirect_uris.some((uri) => isLoopback(uri) || isAppScheme(uri))
  return {
    client_id,
    client_name: client_name || 'A client without a name',
    redirect_uris: [...new Set(redirect_uris)],
    application_type: native ? ('native' as const) : ('web' as const),
    grant_types: ['authorization_code', 'refresh_token'].filter((type) => grant_types.includes(type)),
    response_types: ['code' as const],
    token_endpoint_auth_method: 'none' as const,
    scope: SCOPE,
  }
}

/** A client as it is stored: the supported parts of its metadata, normalised. */
export type ClientMetadata = ReturnType<typeof clientMetadata>
