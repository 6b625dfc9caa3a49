import { expect, test } from 'vitest'
import type { GuardedFetch } from '../../../accounts/egress/guarded-fetch.ts'
import type { ToolAnswer } from '../../api/mcp-clients.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { authorize, openOauthAtPort } from './flow.ts'
import { connectBy, finishAuth, metadataOf, OauthStorage, oauthClientOf } from './real-client.ts'

const CALLBACK = 'http://127.0.0.1:53121/callback'
const DOCUMENT = 'https://client.example/mcp/client.json'

/** The storage of a client whose person approves immediately; `added` is what the client adds to its authorization request. */
const storageOf = (person: SignedInPerson, clientMetadataUrl?: string, added: Record<string, string> = {}) =>
  new OauthStorage(
    CALLBACK,
    async (url) => {
      for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value)
      return authorize(person, url.pathname + url.search)
    },
    clientMetadataUrl,
  )

test.each(['sdk 1', 'client 2'] as const)('%s connects without help and renews an expired token', async (kind) => {
  const { harness, address } = await openOauthAtPort()
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const storage = storageOf(person)
  const client = await connectBy(kind, `${address}/mcp`, storage)
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
    const storage = storageOf(await createSignedInPerson(harness), undefined, added)
    const client = await connectBy(kind, `${address}/mcp/`, storage)
    expect((await client.listTools()).tools).toHaveLength(22)
    const trips = '[{"entry":"2026-06-01","exit":"2026-07-15"}]'
    const call = { name: 'check_schengen_days', arguments: { trips, on: '2026-11-25' } }
    expect(await client.callTool(call)).toMatchObject({ structuredContent: { days_used: 45 } })
  },
)

test.each(['sdk 1', 'client 2'] as const)(
  '%s connects with its metadata document, without registering',
  async (kind) => {
    const body = Buffer.from(JSON.stringify({ client_id: DOCUMENT, ...metadataOf(CALLBACK) }))
    const requested: string[] = []
    const egress: GuardedFetch = async (url) => {
      requested.push(url)
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    const { harness, address } = await openOauthAtPort({}, { egress })
    const storage = storageOf(await createSignedInPerson(harness), DOCUMENT)
    const client = await connectBy(kind, `${address}/mcp`, storage)
    expect(await client.callTool({ name: 'get_faa_delays', arguments: {} })).toMatchObject({ structuredContent: {} })
    expect(storage.stored.client).toMatchObject({ client_id: DOCUMENT })
    expect(requested).toEqual([DOCUMENT])
  },
)

test.each(['sdk 1', 'client 2'] as const)(
  '%s lists an open server without OAuth and begins it at its first call',
  async (kind) => {
    const { harness, address } = await openOauthAtPort({ HOLDSHORT_MCP_OPEN_LISTING: 'true' })
    const storage = storageOf(await createSignedInPerson(harness))
    const { client, transport } = oauthClientOf(kind, `${address}/mcp`, storage)
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(22)
    expect(storage.stored.back).toBeUndefined()
    const call = { name: 'get_faa_delays', arguments: {} }
    await expect(client.callTool(call)).rejects.toThrow(/Unauthorized/i)
    await finishAuth(transport, storage)
    expect(await client.callTool(call)).toMatchObject({ structuredContent: {} })
  },
)

test.each(['sdk 1', 'client 2'] as const)(
  '%s reads without leave to write, gets a tool error that names the dashboard, and writes once its person ticks it',
  async (kind) => {
    const { harness, address } = await openOauthAtPort()
    const person = await createSignedInPerson(harness)
    const report = { name: 'submit_wait_time_report', arguments: { iata: 'GRU', queue: 'lounge', wait_minutes: 5 } }
    const reader = await connectBy(kind, `${address}/mcp`, storageOf(person))
    expect((await reader.listTools()).tools).toHaveLength(22)
    expect(await reader.callTool({ name: 'get_faa_delays', arguments: {} })).toMatchObject({ structuredContent: {} })
    const refused = (await reader.callTool(report)) as ToolAnswer
    expect(refused).toMatchObject({ isError: true, _meta: { 'holdshort/problem': { code: 'WRITING_NOT_ALLOWED' } } })
    expect(refused.content[0]!.text).toContain(`${address}/dashboard#clients`)
    const approve = (url: URL) => authorize(person, url.pathname + url.search, 'approve', { may_write: 'yes' })
    const writer = await connectBy(kind, `${address}/mcp`, new OauthStorage(CALLBACK, approve))
    expect(await writer.callTool(report)).toMatchObject({ structuredContent: { status: 'accepted' } })
  },
)
