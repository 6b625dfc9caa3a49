import { getPriority, setPriority } from 'node:os'
import { vi } from 'vitest'
import { runProgram } from '../../bin/program.ts'
import { holdshort } from './installation.ts'

/** The variable of the process that runs the SQL of `query`: with it the command runs in this process, whose output may be a terminal. */
export const IN_CHILD = 'QUERY_PROCESS_OF_HOLDSHORT'

export interface CommandResult {
  /** The exit code the process would have had. */
  code: number
  stdout: string
  stderr: string
}

/** Runs a command line in this process, like `dist/bin/holdshort.js` but without starting a process; `query` starts its own. */
export async function run(...args: string[]): Promise<CommandResult> {
  if (args[0] === 'query' && process.env[IN_CHILD] === undefined) {
    const own = Object.entries(process.env).filter(([name]) => name.startsWith('HOLDSHORT_'))
    const { code, stdout, stderr } = await holdshort(args, Object.fromEntries(own) as Record<string, string>)
    return { code: code ?? 1, stdout, stderr }
  }
  let stdout = ''
  let stderr = ''
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text
    return true
  })
  process.exitCode = undefined
  const priority = getPriority()
  try {
    await runProgram(args)
    return { code: Number(process.exitCode ?? 0), stdout, stderr }
  } finally {
    process.exitCode = undefined
    out.mockRestore()
    err.mockRestore()
    restorePriority(priority)
  }
}

/** A command that computes lowers the priority of its process, which here also runs the tests after it. Only root may raise it again. */
function restorePriority(priority: number): void {
  if (getPriority() === priority) return
  try {
    setPriority(priority)
  } catch {
    // The tests after this one are slower.
  }
}

/** Runs a command line and returns the JSON it printed. @throws Error when its exit code is not 0 */
export async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args)
  if (code !== 0) throw new Error(`holdshort ${args.join(' ')} exited with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
