import { vi } from 'vitest'
import { runProgram } from '../../bin/program.ts'

export interface Ran {
  /** What the process would have exited with. */
  code: number
  stdout: string
  stderr: string
}

/** Runs one command line in this process: what `dist/bin/holdshort.js` does, without a second to start it. */
export async function run(...words: string[]): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text
    return true
  })
  process.exitCode = undefined
  try {
    await runProgram(words)
    return { code: Number(process.exitCode ?? 0), stdout, stderr }
  } finally {
    process.exitCode = undefined
    out.mockRestore()
    err.mockRestore()
  }
}

/** The JSON that a command printed; fails unless it did what it was told. */
export async function json<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...words)
  if (code !== 0) throw new Error(`holdshort ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
