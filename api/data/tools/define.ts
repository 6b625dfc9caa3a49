import type { AsyncQuery, Query } from '../queries/define.ts'

/** The annotations of the MCP specification: what side effects a call has. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  openWorldHint: boolean
  idempotentHint: boolean
  destructiveHint: boolean
}

/** For tools that only read the snapshot. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
  idempotentHint: true,
  destructiveHint: false,
}

interface ToolDefinition<Answer> {
  /** The name in the specification. */
  name: string
  title: string
  /** When to use the tool and what it returns, under 1,000 characters. */
  description: string
  annotations: ToolAnnotations
  /** Valid arguments, as an example for callers. */
  example: Record<string, unknown>
  query: Query | AsyncQuery
  /** The answer as a short text for people. */
  text: (answer: Answer) => string
}

/** One MCP tool: a query under the specification's name, with a text beside its structured answer. */
export type Tool = ToolDefinition<never>

/** Declares a tool. `Answer` is the type of the query's answer. */
export function defineTool<Answer>(tool: ToolDefinition<Answer>): Tool {
  return tool
}
