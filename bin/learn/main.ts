import { Command } from 'commander'
import { runCommandLine, withSafeOutput } from '../program.ts'
import { measureCommand } from './measure.ts'
import { nowcastCommand } from './nowcast.ts'
import { priorCommand } from './prior.ts'

/** What the project learns from a folder of historical waits and ships (`npm run learn -- <what> <folder>`); no part of the package. */
await runCommandLine(process.argv.slice(2), () => {
  const program = withSafeOutput(new Command('npm run learn --')).description(
    'Learn from historical waits what the project ships, and measure how good the forecasts are.',
  )
  for (const add of [measureCommand, priorCommand, nowcastCommand]) add(program)
  return program
})
