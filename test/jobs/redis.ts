import { execFileSync, spawn } from 'node:child_process'
import { afterAll, beforeAll } from 'vitest'

/** Whether this machine has a Redis to test with; tests that need it skip, saying so, where it has none. */
export const redisInstalled = (() => {
  try {
    execFileSync('redis-server', ['--version'])
    return true
  } catch {
    return false
  }
})()

/** A Redis of this test file's own, from its first test to its last; returns its address. */
export function redisForTests(port: number): string {
  let server: ReturnType<typeof spawn> | undefined
  beforeAll(async () => {
    if (!redisInstalled) return
    server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'pipe' })
    await new Promise<void>((resolve) =>
      server?.stdout?.on('data', (text) => String(text).includes('Ready to accept') && resolve()),
    )
  })
  afterAll(() => void server?.kill('SIGKILL'))
  return `redis://127.0.0.1:${port}`
}
