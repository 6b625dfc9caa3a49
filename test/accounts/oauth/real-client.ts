import { expect } from 'vitest'
import { type AnyTransport, clientOf, type Kind, type ToolCaller } from '../../api/mcp-clients.ts'

/** Sends a person to an authorization address; returns the address with which their browser comes back to the client. */
type Approve = (url: URL) => Promise<URL>

export const metadataOf = (redirectUrl: string) => ({
  client_name: 'A real client',
  redirect_uris: [redirectUrl],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

/** What a client's own OAuth code requires: it stores the registration and tokens, and sends a person to approve. */
export class OauthStorage {
  readonly clientMetadata: object
  readonly stored: { client?: unknown; tokens?: unknown; verifier?: string; back?: URL } = {}
  readonly #approve: Approve
  constructor(
    readonly redirectUrl: string,
    approve: Approve,
    readonly clientMetadataUrl?: string,
  ) {
    this.clientMetadata = metadataOf(redirectUrl)
    this.#approve = approve
  }
  clientInformation = () => this.stored.client
  saveClientInformation = (client: unknown) => {
    this.stored.client = client
  }
  tokens = () => this.stored.tokens
  saveTokens = (tokens: unknown) => {
    this.stored.tokens = tokens
  }
  codeVerifier = () => this.stored.verifier!
  saveCodeVerifier = (verifier: string) => {
    this.stored.verifier = verifier
  }
  redirectToAuthorization = async (url: URL) => {
    this.stored.back = await this.#approve(url)
  }
}

/** A client with that storage, and how it reaches an address. */
export const oauthClientOf = (kind: Kind, address: string, storage: OauthStorage, fetcher: typeof fetch = fetch) =>
  clientOf(kind, address, { authProvider: storage, fetch: fetcher })

/** Gives a transport the code with which the person came back. */
export async function finishAuth(transport: AnyTransport, { stored }: OauthStorage): Promise<void> {
  const { searchParams } = stored.back!
  await transport.finishAuth(searchParams.get('code')!, searchParams.get('iss')!)
}

/** A client that knows only the address: it discovers, registers or names its document, is approved and connects. */
export async function connectBy(...by: Parameters<typeof oauthClientOf>): Promise<ToolCaller> {
  const first = oauthClientOf(...by)
  await expect(first.client.connect(first.transport)).rejects.toThrow(/Unauthorized/i)
  await finishAuth(first.transport, by[2])
  const { client, transport } = oauthClientOf(...by)
  await client.connect(transport)
  return client
}
