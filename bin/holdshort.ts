#!/usr/bin/env node
import { runProgram } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

await runProgram(process.argv.slice(2))
// A command that failed must end, though something that it has opened would live on.
if (process.exitCode) process.exit()
