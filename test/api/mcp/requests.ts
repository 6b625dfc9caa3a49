import type { InjectOptions } from 'fastify'

type Fields = Record<string, unknown>

export const MODERN = '2026-07-28'
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
export const BOTH = 'application/json, text/event-stream'

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface Rpc {
  headers: Record<string, string>
  body: Fields
}

/** A request of a protocol version of 2025; `version` is the value of its header, null without one. */
export function legacy(method: string, params: Fields = {}, version: string | null = null): Rpc {
  const headers = { accept: BOTH, 'content-type': 'application/json' }
  return {
    headers: version === null ? headers : { ...headers, 'mcp-protocol-version': version },
    body: { jsonrpc: '2.0', id: 1, method, params },
  }
}

/** A request of 2026-07-28, with its envelope and headers. */
export function modern(method: string, params: Fields = {}): Rpc {
  const name = params.name ?? params.uri
  return {
    headers: {
      accept: BOTH,
      'content-type': 'application/json',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...ENVELOPE, ...(params._meta as object) } } },
  }
}

/** A copy of a request with other headers or body fields; undefined removes one. */
export function changed({ headers, body }: Rpc, over: { headers?: Fields; body?: Fields }): Rpc {
  const merged = Object.entries({ ...headers, ...over.headers }).filter(([, value]) => value !== undefined)
  return { headers: Object.fromEntries(merged) as Record<string, string>, body: { ...body, ...over.body } }
}

export const post = ({ headers, body }: Rpc): InjectOptions => ({
  method: 'POST',
  headers,
  payload: JSON.stringify(body),
})

/** The call of a tool as clients of 2025 send it. */
export const toolCall = (name: string, input: object, headers: Fields = {}): InjectOptions =>
  post(changed(legacy('tools/call', { name, arguments: input }), { headers }))

interface Message {
  jsonrpc: string
  id: string | number | null
  result?: Fields & { tools?: Fields[]; content?: { text: string }[]; structuredContent?: Fields; isError?: boolean }
  error?: { code: number; message: string; data?: Fields }
}

/** The messages of an answer, which is JSON or an event stream. */
export function messagesOf(text: string): Message[] {
  if (text.startsWith('{')) return [JSON.parse(text) as Message]
  return [...text.matchAll(/^data: ([^\n]*)$/gm)].map(([, line]) => JSON.parse(line!) as Message)
}
