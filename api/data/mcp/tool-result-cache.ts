import type { AppDependencies } from '../dependencies.ts'
import { AnswerCache } from '../rest/answer-cache.ts'
import type { Tool } from '../tools/define.ts'
import { callTool, type McpCall } from './call-tool.ts'

const LONGEST_KEY = 1_000
const MINUTE_MS = 60_000

/**
 * Results of tool calls as JSON. What a tool answers at once depends on snapshot, tier, arguments and clock alone: such a
 * result is kept until the minute or the snapshot ends, and the same question is not worked out again for the next caller.
 */
export class ToolResultCache {
  readonly #texts = new AnswerCache<string>()

  /** The result of a call, counted and billed as `callTool` does. */
  async resultOf(
    tool: Tool,
    input: Record<string, unknown>,
    dependencies: AppDependencies,
    call: McpCall,
  ): Promise<string> {
    const { admission, now, count } = call
    const snapshot = dependencies.holder.current()?.asOf(now)
    const key = tool.query.synchronous ? keyOf(tool, input, call) : null
    if (!snapshot || key === null || key.length > LONGEST_KEY)
      return JSON.stringify(await callTool(tool, input, dependencies, call))
    const kept = this.#texts.get(snapshot, key)
    if (kept !== undefined) {
      admission.settle(true, tool.name)
      count(tool.name, 'ok')
      return kept
    }
    const result = await callTool(tool, input, dependencies, call)
    const text = JSON.stringify(result)
    // What failed says by which request it did.
    return result.isError ? text : this.#texts.put(snapshot, key, text)
  }
}

const keyOf = ({ name }: Tool, input: object, { admission, now }: McpCall) =>
  `${admission.caller.tier} ${Math.floor(now / MINUTE_MS)} ${name} ${JSON.stringify(input)}`
