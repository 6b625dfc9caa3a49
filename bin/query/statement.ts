import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { CLI } from '../runtime/supervise.ts'
import type { FormatName } from './formats.ts'

/** The variable that tells the process that runs the SQL the id of the one that started it. */
export const IN_CHILD = 'QUERY_PROCESS_OF_HOLDSHORT'

/** Kilobytes that the process may have of its own, engine and all. A function can take memory that the engine does not count. */
const MAX_DATA_KB = 3_500_000

export interface StatementOptions {
  data_dir: string
  unsafe: boolean
  seconds: number
}

/** A statement and the form of its result, as the process that runs it reads them from its input. */
export interface Statement {
  sql: string
  format: FormatName
}

/** A process that is ready to run one statement. */
export interface StatementProcess {
  /** Runs the statement and prints its result: the exit code. @throws UsageError when the process was ended; the system's error when none could be started */
  run: (statement: Statement) => Promise<number>
  /** Ends it, with what it spilled. */
  end: () => void
}

/** Passes on what a child writes, and makes it wait while the reader is slower. */
async function passOn(from: AsyncIterable<Buffer> | null | undefined, to: NodeJS.WriteStream): Promise<void> {
  if (!from) return
  const decoder = new TextDecoder()
  for await (const chunk of from) if (!to.write(decoder.decode(chunk, { stream: true }))) await once(to, 'drain')
}

/**
 * Starts a process with limits that runs one statement. Its end, however bad, is not that of this process: a statement can make
 * the engine abort, take any memory, or never end.
 */
export function startStatementProcess(options: StatementOptions): StatementProcess {
  try {
    return startNow(options)
  } catch (error) {
    // As of ENOMEM: whoever runs the statement learns it, and the next one is tried anew.
    return { run: () => Promise.reject(error), end: () => undefined }
  }
}

function startNow({ data_dir, unsafe, seconds }: StatementOptions): StatementProcess {
  const words = ['query', '--data-dir', data_dir]
  if (unsafe) words.push('--unsafe')
  const limited = ['-c', `ulimit -d ${MAX_DATA_KB} 2>/dev/null; exec "$0" "$@"`, process.execPath, CLI]
  const child = spawn('/bin/sh', [...limited, ...words], {
    // On a terminal the child must see that it is one.
    stdio: ['pipe', process.stdout.isTTY ? 'inherit' : 'pipe', 'pipe'],
    env: Object.assign({}, process.env, { [IN_CHILD]: String(process.pid) }),
  })
  // A process that ended before it read its statement is reported by its exit.
  child.stdin?.on('error', () => undefined)
  const end = () => {
    if (child.pid === undefined) return
    child.kill('SIGKILL')
    rmSync(join(dataPaths(data_dir).scratch, String(child.pid)), { recursive: true, force: true })
  }
  // Also when the reader of the result ends first (`| head`): the child is ended, and what it spilled goes with it.
  process.once('exit', end)
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const written = Promise.all([passOn(child.stdout, process.stdout), passOn(child.stderr, process.stderr)])
  ended.catch(() => undefined)
  written.catch(() => undefined)
  return {
    end,
    async run(statement) {
      let isTimedOut = false
      const timer = setTimeout(() => {
        isTimedOut = true
        child.kill('SIGKILL')
      }, seconds * 1_000)
      child.stdin?.end(JSON.stringify(statement))
      const [[code, signal]] = await Promise.all([ended, written]).finally(() => clearTimeout(timer))
      process.off('exit', end)
      end()
      if (isTimedOut)
        throw new UsageError(`sql: the query was ended after ${seconds} seconds; --seconds allows more time`)
      if (signal !== null)
        throw new UsageError(
          `sql: the engine ended while it ran the query (${signal}); maybe it needs more memory than a query may have`,
        )
      return code ?? 0
    },
  }
}

/** Nobody waits for a query whose command was ended, and it holds the warehouse. */
const WATCH_MS = 500

/** Ends this process when the one that started it is gone. */
export function endWithParent(parent: number): void {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, WATCH_MS).unref()
}
