import { z } from 'zod'
import type { Tool } from '../tools/define.ts'
import { TOOLS } from '../tools/index.ts'
import { listedInput, listedOutput } from './listed-schema.ts'

/** A tool as `tools/list` shows it. */
function listTool({ name, title, description, annotations, example, query }: Tool) {
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: { ...listedInput(z.toJSONSchema(query.input, { io: 'input' })), examples: [example] },
    outputSchema: listedOutput(z.toJSONSchema(query.output, { io: 'output' })),
  }
}

let listed: ReturnType<typeof listTool>[] | null = null

/** All tools as `tools/list` shows them; converting schemas is slow, so the list is made once. */
export function listTools(): ReturnType<typeof listTool>[] {
  listed ??= TOOLS.map(listTool)
  return listed
}
