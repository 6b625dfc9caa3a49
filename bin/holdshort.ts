#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { openFilesFault } from '../config/open-files.ts'
import { watchParent } from './runtime/watch-parent.ts'

process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`${error.code}: the result cannot be written; check where the output goes\n`)
  process.exit(1)
})

/** Why no program can work in the folder in which this one was started; null if it can. */
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

const args = process.argv.slice(2)
// A service that is still loading must not end at a request to open its logs anew; `stopRequested` sees if a terminal was closed.
if (['start', 'demo', 'serve', 'work'].includes(args[0] ?? '')) process.on('SIGHUP', () => undefined)
const { IN_CHILD, runQueryProcess } = await import('./query/statement.ts')
if (args[0] === 'query' && process.env[IN_CHILD] === undefined)
  process.exitCode = await runQueryProcess(args).catch(async (error) =>
    (await import('./runtime/report-error.ts')).reportError(error),
  )
// Most code of a query runs once: V8 spends a tenth of its start on optimising it. Newer ones print that they know no such flag.
else if (args[0] === 'query') {
  if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=1000000')
  await (await import('./program.ts')).runProgram(args)
}
// Loaded only now: with too few open files Node.js cannot load it.
else await (await import('./program.ts')).runProgram(args)
// A failed command must end even if something it opened would keep the process alive.
if (process.exitCode) process.exit()
