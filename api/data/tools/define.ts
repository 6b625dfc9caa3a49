import type { AsyncQuery, Query } from '../queries/define.ts'

/** What a tool does to the world, told truthfully. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  openWorldHint: boolean
  idempotentHint: boolean
  destructiveHint: boolean
}

/** Tools that only look something up in the snapshot. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
  idempotentHint: true,
  destructiveHint: false,
}

interface Definition<O> {
  /** Exactly as the specification has it. */
  name: string
  title: string
  /** When to use it and what comes back, under 1,000 characters. */
  description: string
  annotations: ToolAnnotations
  /** Arguments that it answers, as an example for callers. */
  example: Record<string, unknown>
  query: Query | AsyncQuery
  /** The answer as a short text for people. */
  text: (answer: O) => string
}

/** One MCP tool: a query under the specification's name, with a text beside its structured answer. */
export type Tool = Definition<never>

/** Declares a tool. `O` is the type of the query's answer. */
export function defineTool<O>(tool: Definition<O>): Tool {
  return tool
}
