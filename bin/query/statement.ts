import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import type { FormatName } from './formats.ts'

/** The variable with which a process of `holdshort query` learns the id of the process that started it. */
export const IN_CHILD = 'QUERY_PROCESS_OF_HOLDSHORT'
/** The variable that is set where the statement arrives as a message. */
export const STATEMENT_BY_MESSAGE = 'STATEMENT_BY_MESSAGE_OF_HOLDSHORT'

/** Kilobytes that the process may have of its own, engine and all. A function can take memory that the engine does not count. */
const MAX_DATA_KB = 3_500_000
const POLL_MS = 10
const CHUNK_BYTES = 65_536

export interface StatementOptions {
  data_dir: string
  unsafe: boolean
  seconds: number
}

/** A statement and the form of its result. */
export interface Statement {
  sql: string
  format: FormatName
}

/** The message of a process about to run its statement: the file of the result, and the time limit. */
export interface StatementBegins {
  result: string
  seconds: number
}

/** A process that is ready to run one statement. */
export interface StatementProcess {
  /** Runs the statement and prints its result: the exit code. @throws UsageError when the process was ended; the system's error when none could be started */
  run: (statement: Statement) => Promise<number>
  end: () => void
}

/**
 * Runs `holdshort query` in a process of its own and prints its result: the exit code. This process loads nothing that it does not need.
 * @throws UsageError when the process was ended by its limits
 */
export function runQueryProcess(args: readonly string[]): Promise<number> {
  return printResult(startProcess(args))
}

/**
 * Starts a process with limits that runs one statement. Its end, however bad, is not that of this process: a statement can make
 * the engine abort, take any memory, or never end.
 */
export function startStatementProcess({ data_dir, unsafe, seconds }: StatementOptions): StatementProcess {
  try {
    const words = ['query', '--data-dir', data_dir, '--seconds', String(seconds)]
    if (unsafe) words.push('--unsafe')
    const child = startProcess(words, { [STATEMENT_BY_MESSAGE]: '1' })
    const code = printResult(child)
    code.catch(() => undefined)
    return {
      end: () => void child.kill('SIGKILL'),
      run: (statement) => {
        if (child.connected) child.send(statement, () => undefined)
        return code
      },
    }
  } catch (error) {
    // After ENOMEM the caller of the statement gets the error, and the next one tries again.
    return { run: () => Promise.reject(error), end: () => undefined }
  }
}

function startProcess(args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const program = projectFile('dist', 'bin', 'holdshort.js')
  const limited = ['-c', `ulimit -d ${MAX_DATA_KB} 2>/dev/null; exec "$0" "$@"`, process.execPath, program]
  const child = spawn('/bin/sh', [...limited, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment, [IN_CHILD]: String(process.pid) },
  })
  // Also when the reader of the result ends first (`| head`).
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/**
 * Prints the result of a process while the process writes it. The process, which holds the warehouse, writes into a file and never
 * waits for the reader of the result; it ends with its statement, and what is left is printed from the file.
 */
async function printResult(child: ChildProcess): Promise<number> {
  let timer: NodeJS.Timeout | undefined
  let timedOutAfter: number | null = null
  let printing: Promise<void> | undefined
  const isEnded = () => child.exitCode !== null || child.signalCode !== null
  child.on('message', ({ result, seconds }: StatementBegins) => {
    // Files spilled by a killed process lie beside its result.
    const clean = () => rmSync(dirname(result), { recursive: true, force: true })
    process.once('exit', clean)
    child.once('exit', () => {
      process.off('exit', clean)
      clean()
    })
    timer = setTimeout(() => {
      timedOutAfter = seconds
      child.kill('SIGKILL')
    }, seconds * 1_000)
    printing = openAndPrint(child, result, isEnded)
    printing.catch(() => child.kill('SIGKILL'))
  })
  try {
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
  }
  await printing
  if (timedOutAfter !== null)
    throw new UsageError(`sql: the query was ended after ${timedOutAfter} seconds; --seconds allows more time`)
  if (child.signalCode !== null)
    throw new UsageError(
      `sql: the engine ended while it ran the query (${child.signalCode}); maybe it needs more memory than a query may have`,
    )
  return child.exitCode ?? 1
}

async function openAndPrint(child: ChildProcess, path: string, isEnded: () => boolean): Promise<void> {
  const file = await open(path)
  try {
    // The process deletes the name now, so that nothing is left whatever ends first.
    child.send('opened', () => undefined)
    await copyWhileWritten(file, isEnded)
  } finally {
    await file.close()
  }
}

async function copyWhileWritten(file: FileHandle, isEnded: () => boolean): Promise<void> {
  for (;;) {
    const isWhole = isEnded()
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES))
    if (bytesRead > 0) {
      if (!process.stdout.write(buffer.subarray(0, bytesRead))) await once(process.stdout, 'drain')
    } else if (isWhole) return
    else await sleep(POLL_MS)
  }
}

/** A query whose command has ended still holds the warehouse, although nobody waits for it. */
const WATCH_MS = 500

/** Ends this process when the one that started it is gone. */
export function endWithParent(parent: number): void {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, WATCH_MS).unref()
}
