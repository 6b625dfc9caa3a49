import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { projectFile } from '../../config/paths.ts'

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

/** `holdshort start` as an operator runs it, on a free port and a folder of the test's. */
export interface Installation {
  supervisor: ChildProcess
  address: string
  log: LogLine[]
  /** Process ids that have said a line under this name, oldest first. */
  pids: (name: string) => number[]
  /** Resolves with the health once it is as wanted. */
  healthy: (wanted: (health: Health) => boolean) => Promise<Health>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Waits until something is so; fails after a time that no sound machine needs. */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null, limit_ms = 30_000): Promise<T> {
  for (const end = Date.now() + limit_ms; Date.now() < end; await sleep(50)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`${what}: not so after ${limit_ms} ms`)
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The environment of a test's process: nothing of the operator's own settings. */
function cleanEnvironment(over: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('HOLDSHORT_') && !['REDIS_URL', 'DATABASE_URL'].includes(name),
  )
  return { ...Object.fromEntries(kept), ...over }
}

/** Starts an installation and ends whatever of it is left when the test ends. */
export async function startInstallation(data_dir: string, settings: Record<string, string>): Promise<Installation> {
  const port = await freePort()
  const environment = { HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_PORT: String(port), HOLDSHORT_PUBLISH_SECONDS: '2' }
  const supervisor = spawn(process.execPath, [CLI, 'start'], {
    env: cleanEnvironment({ ...environment, ...settings }),
    stdio: ['ignore', 'ignore', 'pipe'],
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
  const healthy = (wanted: (health: Health) => boolean) =>
    until('health', async () => {
      const answer = await fetch(`${address}/health`).catch(() => null)
      const health = answer && ((await answer.json()) as Health)
      return health && wanted(health) ? health : null
    })
  return { supervisor, address, log, pids, healthy }
}

/** Runs one command to its end. */
export async function holdshort(words: string[], settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, log] = [child.stdout, child.stderr].map((stream) => stream!.setEncoding('utf8').toArray())
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, stdout: (await said!).join(''), stderr: (await log!).join('') }
}
