import type { QueryContext } from '../../answers/questions/define.ts'

/** A picture of a tool's answer, which a host with the MCP Apps extension shows beside it: a resource of the MCP server. */
export interface View {
  /** `ui://holdshort/…`. */
  uri: string
  /** Identifier in lower case. */
  name: string
  title: string
  description: string
}

/** An element of a picture: `['td', { class: 'number' }, '14']`. Strings are text; the frame has the list of what may be in one. */
export type Tree = [tag: string, attributes: Record<string, string>, ...children: (Tree | string)[]]

/**
 * Draws the picture of a tool's full answer, as the tier of the context sees it. It goes to the host in `_meta`, never to the
 * model. Null if the answer has no picture: the frame shows its text.
 */
export type Draw = (answer: never, context: QueryContext) => Promise<Tree[] | null>

/** The views of all tools, as the site draws them. */
export interface Views {
  /** The style sheet of the frame. */
  style: string
  /** By the name of the tool. */
  draw: Readonly<Record<string, Draw>>
}
