import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import type { Tier } from '../../config/vocabulary.ts'
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
      inputSchema: { examples?: Record<string, unknown>[] }
      outputSchema?: object
      annotations?: object
    }[]
  }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }, ...options: unknown[]) => Promise<unknown>
  close: () => Promise<void>
}

export type Kind = 'sdk 1' | 'client 2'

export interface AnyTransport {
  finishAuth: (code: string, iss?: string) => Promise<void>
}
export interface AnyClient extends ToolCaller {
  connect: (transport: AnyTransport) => Promise<void>
}

/** A real client of either kind, which is closed when the test ends, and how it reaches an address. */
export function clientOf(kind: Kind, address: string, options: object, capabilities: object = {}) {
  const identity = { name: 'test', version: '1' }
  const url = new URL(address)
  const [client, transport] =
    kind === 'sdk 1'
      ? [new Client(identity, { capabilities }), new StreamableHTTPClientTransport(url, options)]
      : [
          new ModernClient(identity, { capabilities, versionNegotiation: { mode: 'auto' } }),
          new ModernTransport(url, options),
        ]
  onTestFinished(() => client.close())
  return { client: client as unknown as AnyClient, transport: transport as AnyTransport }
}

/** Connects a real client of either kind to /mcp at an address. */
export async function connectTo(address: string, key: string, kind: Kind, capabilities = {}): Promise<ToolCaller> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const { client, transport } = clientOf(kind, `${address}/mcp`, options, capabilities)
  await client.connect(transport)
  return client
}

/** Connects a real client to the app of a harness, which then listens on a free port. */
export async function connect({ app, keys }: Harness, tier: Tier, kind: Kind, capabilities = {}): Promise<ToolCaller> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  return connectTo(`http://127.0.0.1:${port}`, keys[tier].key, kind, capabilities)
}

/** Calls a tool. */
export const call = async (client: ToolCaller, name: string, given: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: given })) as ToolAnswer
