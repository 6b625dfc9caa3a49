import type { Query } from '../../../answers/questions/define.ts'
import { sizedAnswer, splitView } from '../../../api/tools/answer-size.ts'
import type { Tool } from '../../../api/tools/define.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'

/** Runs a read-only tool without any transport, over the real directory of airports. */
export function runTool<Answer>(
  tool: Tool,
  input: object,
  tier: Tier = 'enterprise',
  snapshot = snapshotAt(),
  now = NOW,
): Answer {
  const context = { snapshot, directory: airportDirectory(), tier, now }
  return (tool.query as Query).run(input, context) as Answer
}

/** Who asks, and of what, as `runTool` takes it. */
type AskedBy = [tier?: Tier, snapshot?: Snapshot, now?: number]

/** The answer to the same call as a client gets it: text and structured content, within the limit. */
export function callOf<Answer>(tool: Tool, input: object, ...caller: AskedBy) {
  const { view, input: passed } = splitView(tool, input)
  const answer = runTool<Record<string, unknown>>(tool, passed as object, ...caller)
  const { text, structured } = sizedAnswer(tool, answer, { view, input: passed, site_url: 'https://holdshort.example' })
  return { text, structured: structured as Answer }
}

/** The text of the same answer. */
export const toolText = (...call: Parameters<typeof callOf>): string => callOf(...call).text
