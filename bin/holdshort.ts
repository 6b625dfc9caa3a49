#!/usr/bin/env node
import { runProgram } from './program.ts'
import { watchParent } from './runtime/watch-parent.ts'

watchParent()

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`${error.code}: the result cannot be written; check where the output goes\n`)
  process.exit(1)
})

await runProgram(process.argv.slice(2))
// A failed command must end even if something it opened would keep the process alive.
if (process.exitCode) process.exit()
