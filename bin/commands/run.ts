import type { Command } from 'commander'
import { helpOf } from '../runtime/help.ts'
import { collectCommand } from '../steps/collect.ts'
import { publishCommand } from '../steps/publish.ts'
import { recordCommand } from '../steps/record.ts'
import { replayCommand } from '../steps/replay.ts'
import { rollupCommand } from '../steps/rollup.ts'

/** The steps of the pipeline in their order. A new one is a file in bin/steps/ and a line here. */
const STEPS: ((run: Command) => void)[] = [collectCommand, replayCommand, rollupCommand, recordCommand, publishCommand]

/** `holdshort run <step>`: does one step of the pipeline now. */
export function runCommand(program: Command): void {
  const run = program.command('run').description(helpOf('run'))
  for (const add of STEPS) add(run)
}
