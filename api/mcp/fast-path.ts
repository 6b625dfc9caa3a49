import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../config/json-object.ts'
import type { Tool } from '../tools/define.ts'
import { showsViews } from '../views/apps-extension.ts'
import { acceptedTypes } from './accepted-types.ts'
import { type McpCatalogue, SERVER_INFO } from './catalogue.ts'

/**
 * A `tools/call` that is answered without the SDK, of a tool that answers immediately. The SDK's server, transport and stream per
 * request cost more than the answer itself; it gets the same answer as from the SDK. Every other request, and any unusual one, goes
 * to the SDK.
 */
export interface FastPathRequest {
  id: string | number
  modern: boolean
  tool: Tool
  input: Record<string, unknown>
}

const hasOnly = (fields: JsonObject, names: ReadonlySet<string>) => Object.keys(fields).every((name) => names.has(name))

const MODERN_VERSION = '2026-07-28'
const REQUEST_FIELDS = new Set(['jsonrpc', 'id', 'method', 'params'])
const CALL_FIELDS = new Set(['_meta', 'name', 'arguments'])
const JSON_BODY = /^application\/json(; ?charset=utf-8)?$/i
/** Prefix of the `_meta` keys that the protocol defines. Only those that change no answer are supported here. */
const RESERVED_META = 'io.modelcontextprotocol/'
const KNOWN_META = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  'io.modelcontextprotocol/clientCapabilities',
])

/** Reads a request that can be answered without the SDK; null for all others. */
export function readFastPathRequest(
  catalogue: McpCatalogue,
  { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>,
): FastPathRequest | null {
  if (!isObject(body) || !isRequest(body) || !JSON_BODY.test(headers['content-type'] ?? '')) return null
  const { id, method, params = {} } = body
  if (method !== 'tools/call' || !isObject(params) || !plainMeta(params._meta)) return null
  const modern = params._meta !== undefined && PROTOCOL_VERSION_META_KEY in (params._meta as JsonObject)
  if (modern ? !isModern(body, headers) : !isLegacy(headers)) return null
  if (showsViews(body, headers)) return null
  const { name, arguments: input = {} } = params
  const tool = typeof name === 'string' ? catalogue.tool(name) : undefined
  if (!tool || !isObject(input) || !hasOnly(params, CALL_FIELDS) || isSlow(tool)) return null
  return modern && headers['mcp-name'] !== name ? null : { id, modern, tool, input }
}

const isRequest = (body: JsonObject): body is JsonObject & { id: string | number } =>
  hasOnly(body, REQUEST_FIELDS) &&
  body.jsonrpc === '2.0' &&
  (typeof body.id === 'string' || Number.isSafeInteger(body.id))

/** Whether a request uses a protocol version of 2025 or earlier: by its header, or without one. */
function isLegacy({ accept, 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  if (!acceptedTypes(accept).json) return false
  return version === undefined || (typeof version === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(version))
}

/** Whether a request satisfies all rules of protocol 2026-07-28 for headers and envelope. */
function isModern(body: JsonObject, headers: IncomingHttpHeaders): boolean {
  if (headers['mcp-protocol-version'] !== MODERN_VERSION || headers['mcp-method'] !== body.method) return false
  const route = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: MODERN_VERSION, body })
  return route.kind === 'modern' && route.classification.revision === MODERN_VERSION
}

/** Tools that write or request a source are slow: the SDK sends their progress and can cancel them. */
const isSlow = ({ annotations }: Tool) => !annotations.readOnlyHint || annotations.openWorldHint

function plainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isObject(meta)) return false
  const { progressToken: token } = meta
  const tokenIsPlain = token === undefined || typeof token === 'string' || Number.isSafeInteger(token)
  return tokenIsPlain && Object.keys(meta).every((key) => !key.startsWith(RESERVED_META) || KNOWN_META.has(key))
}

const MODERN_META = { [SERVER_INFO_META_KEY]: SERVER_INFO }
const tail = (id: string | number) => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`

const MODERN_TAIL = `,${JSON.stringify({ resultType: 'complete', _meta: MODERN_META }).slice(1)}`

/** The JSON-RPC response to `tools/call` for a result that is already JSON. */
export function toolCallResponse({ id, modern }: FastPathRequest, result: string): string {
  return `{"result":${modern ? modernResult(result) : result}${tail(id)}`
}

/** A result in the form of 2026-07-28. Only the result of a failed call has its own `_meta`. */
function modernResult(result: string): string {
  if (!result.startsWith('{"isError"')) return result.slice(0, -1) + MODERN_TAIL
  const failed = JSON.parse(result) as { _meta: object }
  return JSON.stringify({ ...failed, resultType: 'complete', _meta: { ...failed._meta, ...MODERN_META } })
}
