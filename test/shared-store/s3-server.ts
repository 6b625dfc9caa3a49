import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

/** The bucket and the credentials of the S3 server for tests. */
export const BUCKET = 'holdshort'
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'tests', AWS_SECRET_ACCESS_KEY: 'only-for-tests' }

const READY_MS = 10_000

/** The program of the S3 server on this machine; null if there is none. `go install github.com/versity/versitygw/cmd/versitygw@v1.2.0` makes it. */
export function s3Program(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')].filter(Boolean)
  return folders.map((folder) => join(folder, 'versitygw')).find((path) => existsSync(path)) ?? null
}

/** The settings of an installation whose store is this server. */
export const storeEnvironment = (url: string, prefix = 'test'): Record<string, string> => ({
  HOLDSHORT_STORE: `s3://${BUCKET}/${prefix}`,
  AWS_ENDPOINT_URL: url,
  ...CREDENTIALS,
})

/** Starts a real S3 server (versitygw) that stores its objects as files in a folder. */
export async function startS3(folder: string, onSpawn: (server: ChildProcess) => void = () => undefined) {
  const program = s3Program()
  if (program === null) throw new Error('versitygw is not installed')
  mkdirSync(join(folder, BUCKET), { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let server: ChildProcess | null = null
  /** Starts it, also again on the same port and folder. */
  const start = async () => {
    const child = spawn(program, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder], {
      env: { ROOT_ACCESS_KEY: CREDENTIALS.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
      stdio: 'ignore',
    })
    server = child
    onSpawn(child)
    for (const end = Date.now() + READY_MS; ; await sleep(30)) {
      if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`)
      if (await fetch(url).catch(() => null)) return
      if (Date.now() > end) throw new Error('versitygw does not answer')
    }
  }
  await start()
  return {
    url,
    start,
    signal: (signal: NodeJS.Signals) => void server?.kill(signal),
    /** Kills it with SIGKILL. */
    kill: async () => {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
  }
}
