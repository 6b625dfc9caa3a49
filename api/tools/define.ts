import type { z } from 'zod'
import type { Query } from '../../answers/questions/define.ts'
import type { AsyncQuery } from '../async-question.ts'
import type { View } from '../views/define-view.ts'

/** The annotations of the MCP specification: what side effects a call has. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  openWorldHint: boolean
  destructiveHint: boolean
  /** Only for tools that write: the specification gives it no meaning for the others. */
  idempotentHint?: boolean
}

/** For tools that only read the snapshot. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
  destructiveHint: false,
}

/** The default answer of a tool whose query answers more than a question needs. */
export interface BriefAnswer<Answer, Shown> {
  /** Schema of the default answer. A field that the full answer has too has the same type in both. */
  output: z.ZodObject
  /** The default answer: what decides first, rows only where they decide. */
  shorten: (answer: Answer) => Shown
}

/** The list of a full answer that is given in pages, with the rows of one page. */
export interface Pages {
  list: string
  rows: number
}

interface ToolDefinition<Answer, Shown = Answer> {
  /** The name in the specification. */
  name: string
  title: string
  /** When to use the tool and what it returns, under 1,000 characters. */
  description: string
  /** @default READ_ONLY */
  annotations?: ToolAnnotations
  /** Words for what it tells, in lower case and the singular: whoever looks for one of them elsewhere is sent here. */
  topics: readonly string[]
  /** Valid arguments, as an example for callers. */
  example: Record<string, unknown>
  query: Query | AsyncQuery
  /** The default answer where it differs from the query's; `detail: "full"` gives the query's. */
  brief?: BriefAnswer<Answer, Shown>
  /**
   * How many entries of a list a default answer has: of `terminals`, or of `terminals.checkpoints` within each entry of another.
   * `detail: "full"` gives them all.
   */
  limits?: Readonly<Record<string, number>>
  /** The list that `detail: "full"` gives in pages. */
  pages?: Pages
  /**
   * The default answer as a short text for people. It stands beside a full answer too. Lists of `shown` may be cut
   * (`limits`), so a text lists what is shown, and takes every count, best, worst, "none" and "all" from `whole`.
   */
  text: (shown: Shown, whole: Shown) => string
  /** The picture that a host with the MCP Apps extension shows beside the answer. */
  view?: View
}

/** One MCP tool: a query under the specification's name, with a text beside its structured answer. */
export type Tool = ToolDefinition<never, never> & { annotations: ToolAnnotations }

/** Declares a tool. `Answer` is the type of the query's answer; `Shown` that of the default answer, where it differs. */
export function defineTool<Answer, Shown = Answer>(tool: ToolDefinition<Answer, Shown>): Tool {
  return { annotations: READ_ONLY, ...tool } as unknown as Tool
}

/** Whether a tool has more to give than its default answer, and so takes `detail`. */
export const hasDetail = ({ brief, limits, pages }: Tool): boolean =>
  brief !== undefined || limits !== undefined || pages !== undefined
