import { EXTENSION_ID } from '@modelcontextprotocol/ext-apps/server'
import { expect, test } from 'vitest'
import { APPS_EXTENSION, VIEW_TYPE } from '../../../api/views/apps-extension.ts'
import type { Tree } from '../../../api/views/define-view.ts'
import { MCP_CATALOGUE } from '../../../bin/service/registry.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { liveAnswer } from '../../jobs/calls/live-answer.ts'
import { EIGHT_AIRPORTS, WHOLE_DIRECTORY } from '../../site/eight-airports.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { CLOSED_AT_NIGHT, measured, UNSUPPORTED } from '../fake-snapshot.ts'
import { type Harness, shareHarness } from '../harness.ts'
import { connect as connectClient, type Kind } from '../mcp-clients.ts'

const harness = shareHarness({}, { directory: WHOLE_DIRECTORY })

interface ViewClient {
  listTools: () => Promise<{ tools: { name: string; _meta?: Record<string, unknown> }[] }>
  listResources: () => Promise<{ resources: { uri: string; mimeType?: string; _meta?: Record<string, unknown> }[] }>
  readResource: (request: { uri: string }) => Promise<{ contents: Record<string, unknown>[] }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  getServerCapabilities: () => { extensions?: Record<string, unknown> } | undefined
}

const MAX_BYTES = 24_000
const EXTENSIONS = { [APPS_EXTENSION]: { mimeTypes: [VIEW_TYPE] } }

/** Connects a real client that shows pictures, or one that does not. */
const connect = async (kind: Kind, { withPictures = true } = {}) =>
  (await connectClient(harness, 'pro', kind, withPictures ? { extensions: EXTENSIONS } : {})) as unknown as ViewClient

const PICTURED: Record<string, string> = {
  compare_airports: 'ui://holdshort/comparison',
  get_security_wait_estimate: 'ui://holdshort/wait',
  get_best_time_to_fly: 'ui://holdshort/departure',
  get_wait_time_predictions: 'ui://holdshort/wait',
  get_live_wait_time: 'ui://holdshort/wait',
}

test.runIf(EXHAUSTIVE).each(['sdk 1', 'client 2'] as const)(
  '%s: a host with the extension gets pictures, by name and to read',
  async (kind) => {
    expect(APPS_EXTENSION).toBe(EXTENSION_ID)
    const client = await connect(kind)
    expect(client.getServerCapabilities()?.extensions).toHaveProperty([APPS_EXTENSION])
    const { tools } = await client.listTools()
    const named = tools.flatMap(({ name, _meta }) =>
      _meta?.ui ? [[name, (_meta.ui as { resourceUri: string }).resourceUri]] : [],
    )
    expect(Object.fromEntries(named)).toEqual(PICTURED)
    const { resources } = await client.listResources()
    const views = resources.filter(({ uri }) => uri.startsWith('ui://'))
    expect(views.map(({ uri }) => uri).sort()).toEqual([...new Set(Object.values(PICTURED))].sort())
    for (const { uri, mimeType } of views) {
      expect(mimeType).toBe('text/html;profile=mcp-app')
      const [content] = (await client.readResource({ uri })).contents
      expect(content).toMatchObject({
        uri,
        mimeType,
        _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
      })
      expect(content!.text).toBe(MCP_CATALOGUE.viewDocument(uri))
    }
  },
)

test.runIf(EXHAUSTIVE).each(['sdk 1', 'client 2'] as const)(
  '%s: every other host gets exactly what it got without pictures',
  async (kind) => {
    const plain = await connect(kind, { withPictures: false })
    const { tools } = await plain.listTools()
    expect(tools).toEqual(MCP_CATALOGUE.listedTools)
    expect((await plain.listResources()).resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([])
    expect(plain.getServerCapabilities()?.extensions).toBeUndefined()
    const pictured = await connect(kind)
    for (const { name, inputSchema } of MCP_CATALOGUE.listedTools.filter((tool) => tool.name in PICTURED)) {
      const call = { name, arguments: inputSchema.examples[0]! }
      const without = await plain.callTool(call)
      const withPicture = await pictured.callTool(call)
      expect((without._meta as object | undefined) ?? {}, name).not.toHaveProperty(['holdshort/view'])
      expect(withPicture._meta, name).toHaveProperty(['holdshort/view'])
      expect(withPicture.content, name).toEqual(without.content)
      expect(withPicture.structuredContent, name).toEqual(without.structuredContent)
    }
  },
)

/** The tree of the picture of a tool's answer, as text; null where the answer has none. */
async function pictureOf(tier: Tier, name: string, input: object): Promise<string | null> {
  const { result } = (
    await post(harness, { method: 'tools/call', params: { name, arguments: input } }, SESSION, tier)
  ).json()
  expect(result.isError).toBeUndefined()
  const tree = (result._meta as { 'holdshort/view': Tree[] } | undefined)?.['holdshort/view']
  return tree ? JSON.stringify(tree) : null
}

const PARTS = {
  card: /"class":"now now-measured/g,
  chart: /"class":"plot"/g,
  hours: /\["th",\{"scope":"row"\}/g,
  terminals: /"class":"strip"/g,
}

test('what a picture shows keeps to the tier: a free key sees the wait now, and why the hours ahead are missing; terminals are for Enterprise', async () => {
  harness.controls.snapshot = snapshotAt(NOW, EIGHT_AIRPORTS)
  const pictures = await Promise.all(
    (['free', 'pro', 'enterprise'] as const).map((tier) =>
      pictureOf(tier, 'get_security_wait_estimate', { iata: 'JFK' }),
    ),
  )
  const [free, pro, enterprise] = pictures.map((picture) =>
    Object.fromEntries(Object.entries(PARTS).map(([part, pattern]) => [part, picture!.match(pattern)?.length ?? 0])),
  )
  expect(free).toEqual({ card: 1, chart: 0, hours: 0, terminals: 0 })
  expect(pictures[0]).toContain('a key of the Pro tier')
  expect(pro).toEqual({ card: 1, chart: 1, hours: 48, terminals: 0 })
  expect(enterprise).toEqual({ card: 1, chart: 1, hours: 48, terminals: 1 })
  const figures = pictures.map((picture) => /"now-figure(?: long)?"\},"([^"]*)"/.exec(picture!)![1])
  expect(figures[0]).toMatch(/^\d+ min$/)
  expect(new Set(figures).size, 'every tier reads the same figure').toBe(1)
  for (const picture of pictures) expect(Buffer.byteLength(picture!)).toBeLessThanOrEqual(30_000)
})

test('figures are whole minutes, and an airport without flights has no hours', async () => {
  harness.controls.snapshot = snapshotAt(NOW, EIGHT_AIRPORTS)
  const compared = await pictureOf('pro', 'compare_airports', { airports: ['JFK', 'LGA'] })
  expect(compared).toContain('34 min on average')
  expect(compared).not.toContain('34.3')
  const idle = await pictureOf('pro', 'get_security_wait_estimate', { iata: 'FRG' })
  expect(idle).toContain('now-unknown')
  expect(idle).not.toMatch(PARTS.chart)
})

test('a picture of the hours of a later day has these hours and nothing of today', async () => {
  const picture = await pictureOf('enterprise', 'get_wait_time_predictions', { iata: 'JFK', date: '2026-11-23' })
  expect(picture!.match(PARTS.hours)).toHaveLength(24)
  expect(picture).not.toContain('now 09:20')
  expect(picture).not.toMatch(/"observed"|Observed: |Nothing was observed/)
  expect(picture).not.toMatch(/next \d+ hours|last 24 hours/i)
})

test('a chart of a week names its days, and one of a day its hours', async () => {
  const CLOCK = /\["text",\{[^}]*\},"\d\d:00"\]/
  const input = { iata: 'JFK' }
  expect(await pictureOf('enterprise', 'get_wait_time_predictions', { ...input, days: 1 })).toMatch(CLOCK)
  expect(await pictureOf('enterprise', 'get_wait_time_predictions', { ...input, days: 7 })).not.toMatch(CLOCK)
})

test('every tool that names a view has a picture, and no other', () => {
  expect(Object.keys(MCP_CATALOGUE.views.draw).sort()).toEqual(Object.keys(PICTURED).sort())
})

test('a picture of a live wait has its figure where that is newer than the published one, and there is none of other queues', async () => {
  const figureOf = async (minutes: number, age_ms: number, kind = 'security') => {
    const wait = measured(NOW - age_ms, minutes)
    harness.controls.answerLive = async () => liveAnswer({ kind: kind as 'security', wait })
    const picture = await pictureOf('pro', 'get_live_wait_time', { iata: 'JFK', kind })
    return picture === null ? null : /"class":"now-figure"\},"([^"]*)"/.exec(picture)![1]
  }
  expect(await figureOf(27, 0)).toBe('27 min')
  expect(await figureOf(27, 600_000)).toBe('14 min')
  expect(await figureOf(27, 0, 'immigration')).toBeNull()
})

test('a picture of a live wait has no wait while airlines are shut out', async () => {
  harness.controls.answerLive = async () => liveAnswer({ wait: measured(NOW, 27) })
  const closures = [{ ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true }]
  harness.controls.snapshot = snapshotAt(NOW, { delays: { JFK: { ...UNSUPPORTED, status: 'closed', closures } } })
  expect(await pictureOf('pro', 'get_live_wait_time', { iata: 'JFK' })).not.toContain('27 min')
})

const SESSION = { 'mcp-session-id': 'views-test' }

/** One message to the server, with a session as a header has it. */
const post = ({ app, keys }: Harness, message: object, headers: Record<string, string> = {}, tier: Tier = 'free') =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${keys[tier].key}`, accept: 'application/json', ...headers },
    payload: { jsonrpc: '2.0', id: 1, ...message },
  })

test('a client of an old protocol says in its session that it shows pictures; nothing else about a session is kept', async () => {
  const sessionOf = async (extensions?: object) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: extensions ? { extensions } : {},
      clientInfo: { name: 'x', version: '1' },
    }
    return (await post(harness, { method: 'initialize', params })).headers['mcp-session-id']
  }
  for (const mimeTypes of [undefined, ['text/plain'], 'text/html;profile=mcp-app'])
    expect(await sessionOf({ [APPS_EXTENSION]: { mimeTypes } })).toBeUndefined()
  expect(await sessionOf()).toBeUndefined()
  const session = (await sessionOf(EXTENSIONS)) as string
  expect(session).toMatch(/^[\x21-\x7e]+$/)
  const list = { method: 'tools/list' }
  const { tools } = (await post(harness, list, { 'mcp-session-id': session })).json().result
  expect(JSON.stringify(tools).match(/"ui:[^"]*"/g)).toHaveLength(5)
  expect((await post(harness, list, { 'mcp-session-id': 'another' })).body).not.toContain('ui://')
  expect((await post(harness, list)).body).not.toContain('ui://')
})

test('each picture is one document of at most 24 kB that may load nothing', async () => {
  for (const { uri } of MCP_CATALOGUE.listedViews) {
    const text = MCP_CATALOGUE.viewDocument(uri)!
    expect(Buffer.byteLength(text), uri).toBeLessThanOrEqual(MAX_BYTES)
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).toMatch(/content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/)
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)|unsafe|innerHTML|\bimport\b|\bexport\b/)
  }
})
