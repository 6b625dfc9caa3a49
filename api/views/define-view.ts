import type { QueryContext } from '../../answers/questions/define.ts'

/** A picture of a tool's answer, which a host with the MCP Apps extension shows beside it: a resource of the MCP server. */
export interface View {
  /** `ui://holdshort/…`. */
  uri: string
  /** Identifier in lower case, and the name of its script in `browser/`. */
  name: 'wait' | 'departure' | 'comparison'
  title: string
  description: string
}

/** How a tool's answer becomes a picture. */
export interface Picture<Answer> {
  view: View
  /** What the picture shows beyond the default answer. It goes to the host in `_meta`, never to the model, and keeps to the tier. */
  extra: (answer: Answer, context: QueryContext) => Record<string, unknown> | Promise<Record<string, unknown>>
}
