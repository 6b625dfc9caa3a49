import { getPriority, setPriority } from 'node:os'
import { vi } from 'vitest'
import { runProgram } from '../../bin/program.ts'

export interface CommandResult {
  /** The exit code the process would have had. */
  code: number
  stdout: string
  stderr: string
}

/** Runs a command line in this process, like `dist/bin/holdshort.js` but without starting a process: `query` runs its SQL here too. */
export async function run(...args: string[]): Promise<CommandResult> {
  let stdout = ''
  let stderr = ''
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest: unknown[]) => {
    stdout += text
    const written = rest.at(-1)
    if (typeof written === 'function') written()
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
