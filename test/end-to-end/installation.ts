import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { freePort } from '../free-port.ts'

export const CLI = projectFile('dist', 'bin', 'holdshort.js')

interface LogLine {
  name: string
  pid: number
  msg: string
}

export interface Health {
  status: 'ok' | 'starting'
  snapshot: { id: string } | null
  simulated: boolean | null
}

/** A running `holdshort start`, on a free port and a folder of the test. */
export interface Installation {
  supervisor: ChildProcess
  address: string
  log: LogLine[]
  /** Process ids that have logged under this name, oldest first. */
  pids: (name: string) => number[]
  /** Resolves with the health once the condition holds. */
  healthy: (condition: (health: Health) => boolean) => Promise<Health>
}

/** Waits until `check` returns a value that is not falsy, and returns it. @throws Error after `limit_ms` */
export async function until<T>(
  condition: string,
  check: () => Promise<T | null> | T | null,
  limit_ms = 120_000,
): Promise<T> {
  for (const end = Date.now() + limit_ms; Date.now() < end; await sleep(50)) {
    const found = await check()
    if (found) return found
  }
  throw new Error(`not within ${limit_ms} ms: ${condition}`)
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The environment for a test's process, without the developer's own settings. */
function cleanEnvironment(over: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('HOLDSHORT_') && !['REDIS_URL', 'DATABASE_URL'].includes(name),
  )
  return { ...Object.fromEntries(inherited), ...over }
}

/** Starts an installation, or one part of it, and kills all its processes when the test ends. */
export async function startInstallation(
  data_dir: string,
  settings: Record<string, string>,
  command: 'start' | 'serve' = 'start',
  stdout: 'ignore' | number = 'ignore',
): Promise<Installation> {
  const port = await freePort()
  const environment = { HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_PORT: String(port), HOLDSHORT_PUBLISH_SECONDS: '2' }
  const supervisor = spawn(process.execPath, [CLI, command], {
    env: cleanEnvironment({ ...environment, ...settings }),
    stdio: ['ignore', stdout, 'pipe'],
  })
  const log: LogLine[] = []
  createInterface(supervisor.stderr!).on('line', (line) => {
    if (line.startsWith('{')) log.push(JSON.parse(line) as LogLine)
  })
  const pids = (name: string) => [...new Set(log.filter((line) => line.name === name).map(({ pid }) => pid))]
  onTestFinished(() => {
    supervisor.kill('SIGKILL')
    for (const pid of [...pids('api'), ...pids('pipeline')]) if (alive(pid)) process.kill(pid, 'SIGKILL')
  })
  const address = `http://127.0.0.1:${port}`
  const healthy = (condition: (health: Health) => boolean) =>
    until('health', async () => {
      const answer = await fetch(`${address}/health`).catch(() => null)
      const health = answer && ((await answer.json()) as Health)
      return health && condition(health) ? health : null
    })
  return { supervisor, address, log, pids, healthy }
}

/** Runs one command in a process of its own, to its end. */
export async function holdshort(args: string[], settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = child.stdout.setEncoding('utf8').toArray()
  const stderr = child.stderr.setEncoding('utf8').toArray()
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, stdout: (await stdout).join(''), stderr: (await stderr).join('') }
}
