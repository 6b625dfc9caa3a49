import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { freePort } from '../../test/free-port.ts'
import type { HeapReport, LoopReport } from './process-probe.ts'

const TIMEOUT_MS = 30_000

/** The headers of a caller with a new key of the highest tier, in the state of a data folder. */
export async function enterpriseHeaders(data_dir: string): Promise<{ authorization: string }> {
  const state = await openState(readSettings({ HOLDSHORT_DATA_DIR: data_dir }))
  const { key } = await issueKey(state, { tier: 'enterprise' }, Date.now())
  await state.close()
  return { authorization: `Bearer ${key}` }
}

/** A real `holdshort serve` in its own process. */
export interface ServedProcess {
  url: string
  /** Seconds from the start of the process to its first answer 200 to a request with a key. */
  first_answer_seconds: number
  /** Longest stall of its event loop since the last report, in ms. */
  longestStall: () => Promise<number>
  /** CPU time of its main thread since the last report, in seconds. */
  cpuSeconds: () => Promise<number>
  /** Its memory in use after garbage collection. */
  heap: () => Promise<HeapReport>
  /** Resident memory in MB: current and peak. */
  memory: () => Promise<{ now: number; highest: number }>
  stop: () => Promise<void>
}

/** The status of an answer; null if nothing listens yet. @throws Error when the process has ended */
async function ask(child: ChildProcess, url: string, headers: Record<string, string>): Promise<number | null> {
  if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
  const answer = await fetch(url, { headers }).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.status ?? null
}

/** Waits as long as the process takes to listen, and then for an answer 200 to a request with a key. */
async function firstAnswer(child: ChildProcess, url: string, headers: Record<string, string>): Promise<void> {
  while ((await ask(child, new URL('/health', url).href, {})) === null) await wait(5)
  for (const start = performance.now(); performance.now() - start < TIMEOUT_MS; await wait(5))
    if ((await ask(child, url, headers)) === 200) return
  throw new Error(`no answer 200 from ${url} within ${TIMEOUT_MS / 1_000} s of listening`)
}

/** Starts the api on a data folder with a snapshot, and waits for its first answer. */
export async function serveProcess(dataDir: string, headers: Record<string, string>): Promise<ServedProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--import',
      projectFile('dist', 'tools', 'bench', 'process-probe.js'),
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
  const first_answer_seconds = (performance.now() - start) / 1_000
  const report = async <Report>(kind: 'loop' | 'heap'): Promise<Report> => {
    const answer = once(child, 'message')
    child.send(kind)
    return (await answer)[0] as Report
  }
  return {
    url,
    first_answer_seconds,
    longestStall: async () => (await report<LoopReport>('loop')).longest_stall_ms,
    cpuSeconds: async () => (await report<LoopReport>('loop')).cpu_seconds,
    heap: () => report<HeapReport>('heap'),
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
