import type { Command } from 'commander'
import { backtestCommand } from './backtest.ts'
import { collectCommand } from './collect.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { importCommand } from './import.ts'
import { keysCommand } from './keys.ts'
import { measureCommand } from './measure.ts'
import { parseCommand } from './parse.ts'
import { priorCommand } from './prior.ts'
import { publishCommand } from './publish.ts'
import { queryCommand } from './query.ts'
import { replayCommand } from './replay.ts'
import { rollupCommand } from './rollup.ts'
import { serveCommand } from './serve.ts'
import { sourcesCommand } from './sources.ts'
import { startCommand } from './start.ts'
import { trainCommand } from './train.ts'
import { workCommand } from './work.ts'

/** Every command, in the order of the help. A new one is a file and a line here. */
export const commands: readonly ((program: Command) => void)[] = [
  demoCommand,
  startCommand,
  serveCommand,
  workCommand,
  collectCommand,
  replayCommand,
  parseCommand,
  importCommand,
  rollupCommand,
  trainCommand,
  backtestCommand,
  measureCommand,
  priorCommand,
  publishCommand,
  queryCommand,
  keysCommand,
  sourcesCommand,
  doctorCommand,
]
