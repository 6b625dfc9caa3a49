import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type HoldshortError, ParameterError } from '../../config/errors.ts'
import { addresses } from '../../config/settings.ts'
import type { Admission } from '../access/admission.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import { answerOf } from '../queries/define.ts'
import { asHoldshortError, type Problem, problemOf } from '../rest/problem.ts'
import type { Tool } from '../tools/define.ts'
import { TOOLS } from '../tools/index.ts'
import { listedInput, listedOutput } from './listed-schema.ts'
import { withProgress } from './progress.ts'
import { answerReading, CACHE_HINTS } from './reading.ts'

/** What a request to /mcp brings along. */
export interface McpCall {
  admission: Admission
  request_id: string
  /** Address the request came from. */
  source: string
  now: number
  /** Told of each tool call: which tool, and how it ended. */
  count: (tool: string, outcome: 'ok' | 'error') => void
}

const INSTRUCTIONS =
  'Airport security waits, FAA delays and forecasts. Every figure has a basis, an age and a source: pass them on. Null or unknown means not known, never zero or no delay. Where `simulated` is true the figures are invented.'

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]))
let listed: ReturnType<typeof listTool>[] | null = null

/** A tool as `tools/list` shows it; converting schemas is slow, so the list is made once. */
function listTool({ name, title, description, annotations, example, query }: Tool) {
  return {
    ...{ name, title, description, annotations: { title, ...annotations } },
    inputSchema: { ...listedInput(z.toJSONSchema(query.input, { io: 'input' })), examples: [example] },
    outputSchema: listedOutput(z.toJSONSchema(query.output, { io: 'output' })),
  }
}

/** A server for one request: stateless, so a caller may be answered by any process. */
export function mcpServer(dependencies: AppDependencies, call: McpCall): Server {
  const server = new Server(
    { name: 'holdshort', title: 'Holdshort', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: CACHE_HINTS,
    },
  )
  answerReading(server, dependencies, call)
  server.setRequestHandler('tools/list', () => {
    listed ??= TOOLS.map(listTool)
    return { tools: listed }
  })
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = byName.get(params.name)
    if (!tool) {
      call.count('unknown', 'error')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    }
    return withProgress(context, async () => {
      const asked = { ...call, signal: context.mcpReq.signal }
      const result = await callTool(tool, params.arguments ?? {}, dependencies, asked)
      call.count(tool.name, result.isError ? 'error' : 'ok')
      return result
    })
  })
  return server
}

async function callTool(
  tool: Tool,
  input: unknown,
  dependencies: AppDependencies,
  call: McpCall & { signal: AbortSignal },
): Promise<CallToolResult> {
  const { holder, directory, settings, state, logger, desk = null, reportDesk = null, archive = null } = dependencies
  const { now, signal } = call
  try {
    const { caller } = call.admission
    const snapshot = snapshotOf(holder, now)
    const by = { actor: caller.kind === 'key' ? 'owner' : 'client', source: call.source } as const
    const { site_url } = addresses(settings)
    const context = {
      ...{ snapshot, directory, settings, tier: caller.tier, now, signal },
      ...{ desk, reportDesk, archive, state, caller, by, site_url },
    }
    const answer = await answerOf(tool.query, input, context)
    call.admission.settle(true, tool.name)
    const prefix = snapshot.simulated ? 'SIMULATED WORLD. ' : ''
    return { content: [{ type: 'text', text: prefix + tool.text(answer as never) }], structuredContent: answer }
  } catch (thrown) {
    const error = asHoldshortError(thrown)
    if (error.code === 'INTERNAL' && !signal.aborted) logger?.error({ err: thrown, tool: tool.name }, 'a tool failed')
    const { site_url } = addresses(settings)
    return toolError(error, problemOf(error, { request_id: call.request_id, path: '/mcp', site_url }).body)
  }
}

/** Arguments that hold airport codes. */
const CODES = /^(iata|airports)\b/

/** What the caller can do about a fault. */
function hintOf(error: HoldshortError): string {
  if (error.code === 'AIRPORT_NOT_FOUND') return ' search_airports finds the code of an airport.'
  if (!(error instanceof ParameterError)) return ''
  const code = error.faults.some(({ parameter }) => CODES.test(parameter))
  return ` Mend the named argument and call again.${code ? ' search_airports finds the code of an airport.' : ''}`
}

/** A fault as a tool error, which a model can read and act on: the code first, then what to do. */
function toolError(error: HoldshortError, problem: Problem): CallToolResult {
  const hint = hintOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message.replace(/\.$/, '')}.${hint}` }],
    _meta: { 'holdshort/problem': problem },
  }
}
