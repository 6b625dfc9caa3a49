import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import type { Tier } from '../../config/domain.ts'
import type { Harness } from './harness.ts'

export interface ToolAnswer {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

export interface ToolCaller {
  listTools: () => Promise<{
    tools: {
      name: string
      description?: string
      inputSchema: { examples?: Record<string, unknown>[]; additionalProperties?: boolean }
      outputSchema?: object
      annotations?: object
    }[]
  }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }, ...options: unknown[]) => Promise<unknown>
  close: () => Promise<void>
}

type Kind = 'sdk 1' | 'client 2'

/** Connects a real client of either kind to /mcp at an address; it is closed when the test ends. */
export async function connectTo(address: string, key: string, kind: Kind): Promise<ToolCaller> {
  const url = new URL(`${address}/mcp`)
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const identity = { name: 'test', version: '1' }
  let client: ToolCaller
  if (kind === 'sdk 1') {
    const legacy = new Client(identity)
    await legacy.connect(new StreamableHTTPClientTransport(url, options) as Parameters<Client['connect']>[0])
    client = legacy as unknown as ToolCaller
  } else {
    const modern = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } })
    await modern.connect(new ModernTransport(url, options))
    client = modern as unknown as ToolCaller
  }
  onTestFinished(() => client.close())
  return client
}

/** Connects a real client to the app of a harness, which then listens on a free port. */
export async function connect({ app, keys }: Harness, tier: Tier, kind: Kind): Promise<ToolCaller> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  return connectTo(`http://127.0.0.1:${port}`, keys[tier].key, kind)
}

/** Calls a tool. */
export const call = async (client: ToolCaller, name: string, given: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: given })) as ToolAnswer
