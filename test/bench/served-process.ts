import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { projectFile } from '../../config/paths.ts'
import { freePort } from '../free-port.ts'
import type { HeapReport, LoopReport } from './process-probe.ts'

const GIVE_UP_MS = 30_000

/** A real `holdshort serve` in a process of its own. */
export interface ServedProcess {
  url: string
  /** Seconds from the start of the process to its first answer 200 on a request with a key. */
  first_answer_seconds: number
  /** Longest stall of its event loop since it was last asked of its loop, ms. */
  longestStall: () => Promise<number>
  /** Processor time of its main thread since it was last asked of its loop, in seconds. */
  cpuSeconds: () => Promise<number>
  /** What it has in use once all garbage is gone. */
  heap: () => Promise<HeapReport>
  /** Resident memory in MB: now, and at its highest. */
  memory: () => Promise<{ now: number; highest: number }>
  stop: () => Promise<void>
}

async function firstAnswer(child: ChildProcess, url: string, headers: Record<string, string>): Promise<void> {
  for (const from = performance.now(); performance.now() - from < GIVE_UP_MS; await wait(5)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const answer = await fetch(url, { headers }).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
  }
  throw new Error(`no answer 200 from ${url} within ${GIVE_UP_MS / 1_000} s`)
}

/** Starts the api on a data folder that holds a snapshot, and waits for its first answer. */
export async function serveProcess(dataDir: string, headers: Record<string, string>): Promise<ServedProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const from = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--import',
      projectFile('dist', 'test', 'bench', 'process-probe.js'),
      projectFile('dist', 'bin', 'holdshort.js'),
      'serve',
    ],
    {
      env: {
        ...process.env,
        HOLDSHORT_DATA_DIR: dataDir,
        HOLDSHORT_PORT: String(port),
        HOLDSHORT_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  await firstAnswer(child, `${url}/api/v1/airports/JFK/wait-times`, headers)
  const first_answer_seconds = (performance.now() - from) / 1_000
  const told = async <Report>(asked: 'loop' | 'heap'): Promise<Report> => {
    const answer = once(child, 'message')
    child.send(asked)
    return (await answer)[0] as Report
  }
  return {
    url,
    first_answer_seconds,
    longestStall: async () => (await told<LoopReport>('loop')).longest_stall_ms,
    cpuSeconds: async () => (await told<LoopReport>('loop')).cpu_seconds,
    heap: () => told<HeapReport>('heap'),
    memory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
      return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') }
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
