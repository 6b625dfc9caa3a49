import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

/** Whether this machine has a Redis to test with; tests that need it skip, saying so, where it has none. */
export const redisInstalled = (() => {
  try {
    execFileSync('redis-server', ['--version'])
    return true
  } catch {
    return false
  }
})()

/** A running Redis, to be stopped by signals: SIGKILL as in a crash, SIGSTOP to make it hang. */
export interface RedisProcess {
  signal: (signal: NodeJS.Signals) => void
  /** Kills it −9 and waits until it is gone. */
  kill: () => Promise<void>
}

/** Starts a Redis; with a folder it reads the dump there, and writes one only when it is told SAVE. */
export async function startRedis(port: number, folder?: string): Promise<RedisProcess> {
  const kept = folder === undefined ? [] : ['--dir', folder]
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', ...kept], {
    stdio: 'pipe',
  })
  const exited = once(server, 'exit')
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve())
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}; is port ${port} taken?`)))
  })
  return {
    signal: (signal) => void server.kill(signal),
    kill: async () => {
      server.kill('SIGKILL')
      await exited
    },
  }
}

/**
 * A Redis of this test file's own, from its first test to its last; returns its address. Two workers may run the same file at once, on
 * SQLite and on PostgreSQL, so that each has ports of its own.
 */
export function redisForTests(firstPort: number): string {
  const port = firstPort + 100 * Number(process.env['VITEST_POOL_ID'] ?? 0)
  let server: RedisProcess | undefined
  beforeAll(async () => {
    if (redisInstalled) server = await startRedis(port)
  })
  afterAll(() => server?.kill())
  return `redis://127.0.0.1:${port}`
}

/** A Redis of one test, to be killed and started again; it ends with the test at the latest. */
export async function redisOfTest(port: number, folder?: string) {
  let server = await startRedis(port, folder)
  onTestFinished(() => server.kill())
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.kill(),
    signal: (signal: NodeJS.Signals) => server.signal(signal),
    start: async () => {
      server = await startRedis(port, folder)
    },
  }
}
