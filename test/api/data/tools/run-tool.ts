import type { Query } from '../../../../api/data/queries/define.ts'
import type { Tool } from '../../../../api/data/tools/define.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import type { Tier } from '../../../../config/domain.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'

/** Runs a read-only tool without any transport, over the real directory of airports. */
export function runTool<Answer>(tool: Tool, input: object, tier: Tier = 'enterprise', snapshot = snapshotAt()): Answer {
  const context = { snapshot, directory: airportDirectory(), tier, now: NOW }
  return (tool.query as Query).run(input, context) as Answer
}

/** The text of the same answer. */
export function toolText(tool: Tool, input: object, tier: Tier = 'enterprise', snapshot = snapshotAt()): string {
  return tool.text(runTool(tool, input, tier, snapshot) as never)
}
