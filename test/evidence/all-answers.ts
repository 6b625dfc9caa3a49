import { expect } from 'vitest'
import type { Harness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'

/** A value of an answer. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

interface ToolResult {
  structuredContent: JsonObject
  content: { text: string }[]
}

/** A tool's answer to an enterprise key. */
export async function callTool(
  { call }: Pick<Harness, 'call'>,
  name: string,
  toolArguments: object,
): Promise<ToolResult> {
  const answer = await call('enterprise', '/mcp', toolCall(name, toolArguments))
  const result = messagesOf(answer.body)[0]!.result as unknown as ToolResult
  expect(result.structuredContent, `${name}: ${answer.body.slice(0, 300)}`).toBeDefined()
  return result
}
