#!/usr/bin/env node
import { openFilesFault } from '../config/open-files.ts'
import { watchParent } from './runtime/watch-parent.ts'

process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`${error.code}: the result cannot be written; check where the output goes\n`)
  process.exit(1)
})

/** Why no program can work in the folder in which this one was started; null where it can. */
function folderFault(): string | null {
  try {
    process.cwd()
    return null
  } catch {
    return 'ENOENT: the folder in which this command was started does not exist any more; start it in another one'
  }
}

const fault = openFilesFault() ?? folderFault()
if (fault !== null) {
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}
watchParent()

// Loaded only now: with too few open files Node.js cannot load it.
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2))
// A failed command must end even if something it opened would keep the process alive.
if (process.exitCode) process.exit()
