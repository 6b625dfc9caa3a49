import type { Query } from '../../../../api/data/queries/define.ts'
import { sizedAnswer, splitView } from '../../../../api/data/tools/answer-size.ts'
import type { Tool } from '../../../../api/data/tools/define.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import type { Tier } from '../../../../config/domain.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'

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

/** The answer to the same call as a client gets it: text and structured content, within the limit. */
export function callOf<Answer>(
  tool: Tool,
  input: object,
  tier: Tier = 'enterprise',
  snapshot = snapshotAt(),
  now = NOW,
) {
  const { view, input: passed } = splitView(tool, input)
  const answer = runTool<Record<string, unknown>>(tool, passed as object, tier, snapshot, now)
  const { text, structured } = sizedAnswer(tool, answer, { view, input: passed, site_url: 'https://holdshort.example' })
  return { text, structured: structured as Answer }
}

/** The text of the same answer. */
export function toolText(
  tool: Tool,
  input: object,
  tier: Tier = 'enterprise',
  snapshot = snapshotAt(),
  now = NOW,
): string {
  return callOf(tool, input, tier, snapshot, now).text
}
