import type { CallToolResult } from '@modelcontextprotocol/server'
import { type HoldshortError, ParameterError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import type { Admission } from '../gate/admission.ts'
import { runQuery } from '../queries/define.ts'
import { asHoldshortError, type Problem, problemOf } from '../rest/problem.ts'
import type { Tool } from '../tools/define.ts'

/** What a request to /mcp brings along. */
export interface McpCall {
  admission: Admission
  request_id: string
  /** Address the request came from. */
  source: string
  now: number
  /** Fires when the caller has gone. */
  readonly signal: AbortSignal
  /** Told of each tool call: which tool, and how it ended. */
  count: (tool: string, outcome: 'ok' | 'error') => void
}

/** Answers one call of a tool, counts it and bills it if it succeeds. A fault is a tool error; this never throws. */
export async function callTool(
  tool: Tool,
  input: unknown,
  dependencies: AppDependencies,
  call: McpCall,
): Promise<CallToolResult> {
  const { settings, logger } = dependencies
  try {
    const result = await answered(tool, input, dependencies, call)
    call.admission.settle(true, tool.name)
    call.count(tool.name, 'ok')
    return result
  } catch (thrown) {
    const error = asHoldshortError(thrown)
    if (error.code === 'INTERNAL' && !call.signal.aborted)
      logger?.error({ err: thrown, tool: tool.name }, 'a tool failed')
    const { site_url } = addresses(settings)
    call.admission.settle(false, tool.name)
    call.count(tool.name, 'error')
    return toolError(error, problemOf(error, { request_id: call.request_id, path: '/mcp', site_url }).body)
  }
}

async function answered(tool: Tool, input: unknown, dependencies: AppDependencies, call: McpCall) {
  const { holder, directory, settings, state, pipelineClient = null } = dependencies
  const { now } = call
  const { caller } = call.admission
  const snapshot = snapshotOf(holder, now)
  const answer = await runQuery(tool.query, input, {
    snapshot,
    directory,
    settings,
    tier: caller.tier,
    now,
    pipelineClient,
    state,
    caller,
    by: { actor: caller.kind === 'key' ? 'owner' : 'client', source: call.source },
    site_url: addresses(settings).site_url,
    // Only tools that take their time listen to it.
    get signal() {
      return call.signal
    },
  })
  const prefix = snapshot.simulated ? 'SIMULATED WORLD. ' : ''
  const text = prefix + tool.text(answer as never)
  return { content: [{ type: 'text' as const, text }], structuredContent: answer }
}

/** Arguments that hold airport codes. */
const CODES = /^(iata|airports)\b/

const SEARCH = ' search_airports finds the code of an airport.'

/** What the caller can do about a fault. */
function hintOf(error: HoldshortError): string {
  if (error.code === 'AIRPORT_NOT_FOUND') return SEARCH
  if (!(error instanceof ParameterError)) return ''
  const code = error.faults.some(({ parameter }) => CODES.test(parameter))
  return ` Mend the named argument and call again.${code ? SEARCH : ''}`
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
