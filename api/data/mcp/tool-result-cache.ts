import { MINUTE_MS } from '../../../config/domain.ts'
import type { AppDependencies } from '../dependencies.ts'
import { AnswerCache } from '../rest/answer-cache.ts'
import type { Tool } from '../tools/define.ts'
import { callTool, type McpCall } from './call-tool.ts'

const MAX_KEY_CHARACTERS = 1_000

/**
 * Caches results of tool calls as JSON. The result of a synchronous tool depends only on snapshot, tier, arguments and
 * clock, so it is cached until the minute or the snapshot ends.
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
    if (!snapshot || key === null || key.length > MAX_KEY_CHARACTERS)
      return JSON.stringify(await callTool(tool, input, dependencies, call))
    const cached = this.#texts.get(snapshot, key)
    if (cached !== undefined) {
      admission.settle(true, tool.name)
      count(tool.name, 'ok')
      return cached
    }
    const result = await callTool(tool, input, dependencies, call)
    const text = JSON.stringify(result)
    // An error contains the id of its request, so it is not cached.
    return result.isError ? text : this.#texts.put(snapshot, key, text)
  }
}

const keyOf = ({ name }: Tool, input: object, { admission, now }: McpCall) =>
  `${admission.caller.tier} ${Math.floor(now / MINUTE_MS)} ${name} ${JSON.stringify(input)}`
