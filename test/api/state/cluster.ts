import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../free-port.ts'

const DEBIAN = '/usr/lib/postgresql'
const READY_MS = 30_000
const GONE_MS = 2_000

/** Folder of the PostgreSQL programs on this machine; null if there is none. */
export function postgresqlPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...PATH_FOLDERS]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}
const PATH_FOLDERS = (process.env.PATH ?? '').split(delimiter).filter(Boolean)

/** PostgreSQL refuses to run as root, so root runs it as the user postgres. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A PostgreSQL server for one test, in a temporary folder and on a free port of this machine. */
export interface Cluster {
  /** Address of a database on it. */
  url: (database: string) => string
  /** Runs statements as the superuser, one after the other, each in its own transaction. */
  run: (database: string, ...statements: string[]) => Promise<void>
  /** Kills every process of the server with SIGKILL, like a power cut. */
  kill: () => Promise<void>
  /** Starts it again on the same port and folder. */
  start: () => Promise<void>
  /** Ends it and removes its folder. */
  remove: () => Promise<void>
}

export interface ClusterOptions {
  /** Without it the server never waits for the disk, for tests that kill nothing. */
  durable?: boolean
  /** Called with the folder of the server before anything is in it. */
  onFolder?: (folder: string) => void
  /** Called with each process that is started as the server. */
  onSpawn?: (server: ChildProcess) => void
}

/** Creates and starts a server. */
export async function startCluster({ durable = false, onFolder, onSpawn }: ClusterOptions = {}): Promise<Cluster> {
  const programs = postgresqlPrograms()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-pg-'))
  onFolder?.(folder)
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  const place = join(folder, 'cluster')
  const initdb = [
    '-D',
    place,
    '-U',
    'holdshort',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  execFileSync(join(programs, 'initdb'), initdb, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const settings = { ...SETTINGS, ...(durable ? {} : CARELESS), port, unix_socket_directories: folder }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | null = null

  const url = (database: string) => `postgresql://holdshort@127.0.0.1:${port}/${database}`
  const run = async (database: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: url(database) })
    client.on('error', () => undefined)
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const start = async () => {
    // In its own process group, so that the backends can be killed with it.
    const child = spawn(join(programs, 'postgres'), ['-D', place, ...flags], {
      ...user,
      cwd: folder,
      detached: true,
      stdio: 'ignore',
    })
    server = child
    onSpawn?.(child)
    for (const end = Date.now() + READY_MS; ; await wait(20)) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      const refused = await run('postgres', 'select 1').then(
        () => null,
        (error: unknown) => error,
      )
      if (refused === null) return
      if (Date.now() > end) throw refused
    }
  }
  const kill = async () => {
    if (!server?.pid) return
    const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : null
    // Backends have their own process groups. The postmaster is stopped first, so that it starts none that nobody kills: the server
    // cannot start again beside one.
    signalQuietly(server.pid, 'SIGSTOP')
    const backends = backendsOf(server.pid)
    for (const pid of [server.pid, ...backends]) signalQuietly(pid, 'SIGKILL')
    await ended
    for (const end = Date.now() + GONE_MS; backends.some((pid) => signalQuietly(pid, 0)) && Date.now() < end; )
      await wait(5)
    server = null
  }
  await start()
  return {
    url,
    run,
    kill,
    start,
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

const SETTINGS = { listen_addresses: '127.0.0.1', max_connections: 200, shared_buffers: '32MB', autovacuum: 'off' }
const CARELESS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

function backendsOf(postmaster: number): number[] {
  try {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    return children.split('\n').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/** Returns whether there is such a process. */
function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
