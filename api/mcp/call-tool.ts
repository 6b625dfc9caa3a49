import type { CallToolResult } from '@modelcontextprotocol/server'
import { nextSlice } from '../../answers/slices.ts'
import { addresses } from '../../config/addresses.ts'
import { AirportNotFoundError, type HoldshortError, ParameterError } from '../../config/errors.ts'
import { memoizeByObject } from '../../config/once.ts'
import { type AsyncContext, runQuery } from '../async-question.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import type { Admission, Caller } from '../gate/admission.ts'
import { asHoldshortError, type Problem, problemOf } from '../rest/problem.ts'
import { sizedAnswer, splitView, viewParameters } from '../tools/answer-size.ts'
import type { Tool } from '../tools/define.ts'
import type { Draw } from '../views/define-view.ts'
import type { McpCatalogue } from './catalogue.ts'
import { programmeNotice, readArguments, withAirportCodes } from './tool-arguments.ts'

/** The parts of a request to /mcp that its handlers need. */
export interface McpRequest {
  /** Null for a client that lists without a credential where the operator allows it. */
  admission: Admission | null
  request_id: string
  /** Network address of the client. */
  source: string
  now: number
  /**
   * Fires when the client has disconnected. A function, as only slow tools use it and creating it has a cost; and no getter: V8 makes
   * a class of its own of each object literal with one, which lives until a full collection, with all that the getter sees.
   */
  signal: () => AbortSignal
  /** Counts a tool call by its outcome. */
  count: (tool: string, outcome: 'ok' | 'error') => void
  /** Whether the client shows pictures of answers (MCP Apps). */
  showsViews: boolean
}

/** Answers one tool call, counts it and bills it if it succeeds. Never throws: an error becomes a tool error. */
export async function callTool(
  { views }: McpCatalogue,
  tool: Tool,
  input: unknown,
  dependencies: AppDependencies,
  call: McpRequest,
  admission: Admission,
): Promise<CallToolResult> {
  const { settings, logger } = dependencies
  try {
    const draw = call.showsViews ? views.draw[tool.name] : undefined
    const result = await runTool(tool, input, dependencies, call, admission.caller, draw)
    admission.settle(true, tool.name)
    call.count(tool.name, 'ok')
    return result
  } catch (thrown) {
    const error = asHoldshortError(thrown)
    if (error.code === 'INTERNAL' && !call.signal().aborted)
      logger?.error({ err: thrown, tool: tool.name }, 'a tool failed')
    const { site_url } = addresses(settings)
    admission.settle(false, tool.name)
    call.count(tool.name, 'error')
    return toolError(tool, error, problemOf(error, { request_id: call.request_id, path: '/mcp', site_url }).body)
  }
}

async function runTool(
  tool: Tool,
  sent: unknown,
  dependencies: AppDependencies,
  call: McpRequest,
  caller: Caller,
  draw: Draw | undefined,
) {
  const { holder, directory, settings, state, pipelineClient = null } = dependencies
  const { now } = call
  const snapshot = snapshotOf(holder, now)
  const { input: args, notice: reading } = withAirportCodes(tool, readArguments(tool, sent), { directory, snapshot })
  const notice = [programmeNotice(tool, sent), reading].filter((part) => part !== null).join(' ') || null
  const { view, input } = splitView(tool, args)
  const { site_url } = addresses(settings)
  const context: AsyncContext = {
    snapshot,
    directory,
    tier: caller.tier,
    now,
    pipelineClient,
    state,
    caller,
    by: { actor: caller.kind === 'key' ? 'owner' : 'client', source: call.source },
    site_url,
    known_parameters: knownParameters(tool),
    signal: call.signal,
  }
  // If a default answer differs from the query's, only the default answer is sent and checked.
  const isMadeBrief = tool.brief !== undefined && view.detail === 'brief' && draw === undefined
  const answer = withNotice(tool, await runQuery(tool.query, input, context, isMadeBrief), notice)
  // A summary of thousands of rows takes milliseconds of its own.
  if (tool.query.synchronous && tool.query.list) await nextSlice()
  // Facts of pages and rules are real in the demo too: their tools say so.
  const prefix = (answer.simulated ?? snapshot.simulated) ? 'SIMULATED WORLD. ' : ''
  const { text, structured } = sizedAnswer(tool, answer, { view, input, site_url })
  const result = { content: [{ type: 'text' as const, text: prefix + text }], structuredContent: structured }
  const picture = (await draw?.(answer as never, context)) ?? null
  return picture === null ? result : { ...result, _meta: { 'holdshort/view': picture } }
}

const knownParameters = memoizeByObject((tool: Tool): readonly string[] => [
  ...Object.keys(tool.query.input.shape),
  ...viewParameters(tool),
])

function withNotice(tool: Tool, answer: Record<string, unknown>, notice: string | null): Record<string, unknown> {
  if (notice === null || !('notice' in tool.query.output.shape)) return answer
  const all = typeof answer.notice === 'string' ? `${notice} ${answer.notice}` : notice
  return { ...answer, notice: all }
}

/** Arguments that contain airport codes. */
const AIRPORT_ARGUMENT = /^(iata|airports|destination)\b/

const SEARCH_HINT = ' search_airports finds the code of an airport.'

/** A day or hour that a tool does not take: which tools do. */
const DAY_ARGUMENT = /^(date|day|days|on|when|time|hours?|departure)$/
/** A tool with one of these takes days under another name, which the list of known parameters shows. */
const TAKES_DAYS = ['date', 'from', 'departure', 'on']
const DAY_HINT =
  ' For a day or hour to come get_wait_time_predictions has security hour by hour, get_best_time_to_fly a whole departure.'

/** A sentence on how to correct an error; empty if there is none. */
function hintOf(tool: Tool, error: HoldshortError): string {
  if (error instanceof AirportNotFoundError) return error.airport_named ? '' : SEARCH_HINT
  if (error.code === 'LIVE_UNAVAILABLE') return ' get_airport_overview has the figures of the last snapshot.'
  if (!(error instanceof ParameterError)) return ''
  const concernsAirport = error.faults.some(
    ({ parameter, airport_named }) => AIRPORT_ARGUMENT.test(parameter) && !airport_named,
  )
  const namesDay =
    !TAKES_DAYS.some((name) => name in tool.query.input.shape) &&
    error.faults.some(({ parameter, is_unknown }) => is_unknown && DAY_ARGUMENT.test(parameter))
  return ` Correct the named argument and call again.${concernsAirport ? SEARCH_HINT : ''}${namesDay ? DAY_HINT : ''}`
}

/** A tool error that a model can act on: first the code, then the message and a hint. */
function toolError(tool: Tool, error: HoldshortError, problem: Problem): CallToolResult {
  const hint = hintOf(tool, error)
  return {
    isError: true,
    content: [
      { type: 'text', text: `${error.code}: ${error.message}${/[.?]$/.test(error.message) ? '' : '.'}${hint}` },
    ],
    _meta: { 'holdshort/problem': problem },
  }
}
