import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import type { GuardedFetch } from '../../../../api/accounts/egress/guarded-fetch.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { authorize, openOauthAtPort } from './flow.ts'

const CALLBACK = 'http://127.0.0.1:53121/callback'
const DOCUMENT = 'https://client.example/mcp/client.json'
const METADATA = {
  client_name: 'A real client',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

/** The storage that a client's own OAuth code uses. The person approves immediately. */
class Keeper {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = METADATA
  readonly #person: SignedInPerson
  readonly stored: { client?: never; tokens?: never; verifier?: string; back?: URL } = {}
  constructor(
    person: SignedInPerson,
    readonly clientMetadataUrl?: string,
    /** What the client adds to its authorization request. */
    readonly added: Record<string, string> = {},
  ) {
    this.#person = person
  }
  clientInformation = () => this.stored.client
  saveClientInformation = (client: unknown) => {
    this.stored.client = client as never
  }
  tokens = () => this.stored.tokens
  saveTokens = (tokens: unknown) => {
    this.stored.tokens = tokens as never
  }
  codeVerifier = () => this.stored.verifier!
  saveCodeVerifier = (verifier: string) => {
    this.stored.verifier = verifier
  }
  redirectToAuthorization = async (url: URL) => {
    for (const [name, value] of Object.entries(this.added)) url.searchParams.set(name, value)
    this.stored.back = await authorize(this.#person, url.pathname + url.search)
  }
}

interface AnyClient {
  connect: (transport: unknown) => Promise<void>
  callTool: (call: object) => Promise<unknown>
  listTools: () => Promise<{ tools: unknown[] }>
  close: () => Promise<void>
}
interface AnyTransport {
  finishAuth: (code: string, iss?: string) => Promise<void>
}

const identity = { name: 'test', version: '1' }
const KINDS = {
  'sdk 1': () => new Client(identity) as unknown as AnyClient,
  'client 2': () => new ModernClient(identity, { versionNegotiation: { mode: 'auto' } }) as unknown as AnyClient,
}

function transportOf(kind: keyof typeof KINDS, address: string, storage: Keeper, path = '/mcp'): AnyTransport {
  const url = new URL(address + path)
  const options = { authProvider: storage as never }
  return kind === 'sdk 1' ? new StreamableHTTPClientTransport(url, options) : new ModernTransport(url, options)
}

/** A client that knows only the address: it discovers, registers or names its document, is approved and connects. */
async function connectBy(
  kind: keyof typeof KINDS,
  address: string,
  storage: Keeper,
  path = '/mcp',
): Promise<AnyClient> {
  const transport = transportOf(kind, address, storage, path)
  await expect(KINDS[kind]().connect(transport)).rejects.toThrow(/Unauthorized/i)
  const { searchParams } = storage.stored.back!
  await transport.finishAuth(searchParams.get('code')!, searchParams.get('iss')!)
  const client = KINDS[kind]()
  onTestFinished(() => client.close())
  await client.connect(transportOf(kind, address, storage, path))
  return client
}

test.each(['sdk 1', 'client 2'] as const)('%s connects without help and renews an expired token', async (kind) => {
  const { harness, address } = await openOauthAtPort()
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const storage = new Keeper(person)
  const client = await connectBy(kind, address, storage)
  const call = { name: 'get_wait_time_predictions', arguments: { iata: 'JFK' } }
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { airport: 'JFK' } })
  const tokens = storage.stored.tokens as unknown as { access_token: string; refresh_token: string }
  const { access_token, refresh_token } = tokens
  storage.saveTokens({ ...tokens, access_token: `${access_token.slice(0, -8)}AAAAAAAA` })
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { airport: 'JFK' } })
  expect(storage.stored.tokens).not.toMatchObject({ refresh_token })
})

test.each(['sdk 1', 'client 2'] as const)(
  '%s connects to the address with a slash at its end, with scopes of its own and the resource in capitals',
  async (kind) => {
    const { harness, address } = await openOauthAtPort()
    const added = { scope: 'openid profile email', resource: `${address}/MCP/` }
    const storage = new Keeper(await createSignedInPerson(harness), undefined, added)
    const client = await connectBy(kind, address, storage, '/mcp/')
    expect((await client.listTools()).tools).toHaveLength(22)
    const trips = '[{"entry":"2026-06-01","exit":"2026-07-15"}]'
    const call = { name: 'check_schengen_days', arguments: { trips, on: '2026-11-25' } }
    expect(await client.callTool(call)).toMatchObject({ structuredContent: { days_used: 45 } })
  },
)

test.each(['sdk 1', 'client 2'] as const)(
  '%s connects with its metadata document, without registering',
  async (kind) => {
    const body = Buffer.from(JSON.stringify({ client_id: DOCUMENT, ...METADATA }))
    const requested: string[] = []
    const egress: GuardedFetch = async (url) => {
      requested.push(url)
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    const { harness, address } = await openOauthAtPort({}, { egress })
    const storage = new Keeper(await createSignedInPerson(harness), DOCUMENT)
    const client = await connectBy(kind, address, storage)
    expect(await client.callTool({ name: 'get_faa_delays', arguments: {} })).toMatchObject({ structuredContent: {} })
    expect(storage.stored.client).toMatchObject({ client_id: DOCUMENT })
    expect(requested).toEqual([DOCUMENT])
  },
)

test.each(['sdk 1', 'client 2'] as const)(
  '%s lists an open server without OAuth and begins it at its first call',
  async (kind) => {
    const { harness, address } = await openOauthAtPort({ HOLDSHORT_MCP_OPEN_LISTING: 'true' })
    const storage = new Keeper(await createSignedInPerson(harness))
    const transport = transportOf(kind, address, storage)
    const client = KINDS[kind]()
    onTestFinished(() => client.close())
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(22)
    expect(storage.stored.back).toBeUndefined()
    const call = { name: 'get_faa_delays', arguments: {} }
    await expect(client.callTool(call)).rejects.toThrow(/Unauthorized/i)
    const { searchParams } = storage.stored.back!
    await transport.finishAuth(searchParams.get('code')!, searchParams.get('iss')!)
    expect(await client.callTool(call)).toMatchObject({ structuredContent: {} })
  },
)
