import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getOrCreate } from '../../config/once.ts'
import { projectFile } from '../../config/paths.ts'
import { type RunningSimulatedWorld, type SentReading, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { type Cluster, startCluster } from '../../test/api/state/cluster.ts'
import { freePort } from '../../test/free-port.ts'
import { DUCKDB_FOLDER } from '../../test/shared-store/installation.ts'
import { BUCKET, CREDENTIALS, s3Program, storeEnvironment } from '../../test/shared-store/s3-server.ts'

/** The way from one machine to one store: a TCP proxy that can be cut, so that nothing passes, without notice. */
interface Link {
  port: number
  cut: () => void
  mend: () => void
  close: () => void
}

async function openLink(target: number): Promise<Link> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ allowHalfOpen: false }, (near) => {
    const far = connect(target, '127.0.0.1')
    for (const [first, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(first)
      first.on('data', (bytes) => {
        // A dead network loses bytes silently.
        if (!isCut) other.write(bytes)
      })
      first.on('error', () => other.destroy())
      first.on('close', () => {
        sockets.delete(first)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      // A half-sent message is not continued.
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const PROGRAM = projectFile('dist', 'tools', 'chaos', 'reaper.js')

/** Remembers what has to end with this process, however this process ends. */
interface Reaper {
  child: (child: ChildProcess) => void
  folder: (path: string) => void
  /** Ends everything now. */
  close: () => Promise<void>
}

/** Starts a process that outlives this one by a moment and ends what this one had started. */
function startReaper(): Reaper {
  // In its own session, so that the Ctrl-C that ends this process does not end it.
  const reaper = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'ignore', 'inherit'], detached: true })
  reaper.stdin.on('error', () => undefined)
  const tell = (line: string) => void reaper.stdin.write(`${line}\n`)
  return {
    child: (child) => {
      const { pid } = child
      if (pid === undefined) return
      tell(`+pid ${pid}`)
      child.once('exit', () => tell(`-pid ${pid}`))
    },
    folder: (path) => tell(`folder ${path}`),
    close: async () => {
      const ended = once(reaper, 'exit')
      reaper.stdin.end()
      await ended
    },
  }
}

const CLI = projectFile('dist', 'bin', 'holdshort.js')
export const PEPPER = 'a pepper for faults only'

/** A process that can be killed, frozen and started again. */
export interface MachinePart {
  name: string
  pid: () => number
  isRunning: () => boolean
  signal: (signal: NodeJS.Signals) => void
  kill: () => Promise<void>
  start: () => Promise<void>
}

/** One machine: a process with a disk and ways to the stores of its own. */
export interface Machine extends MachinePart {
  role: 'serve' | 'work'
  url: string
  folder: string
  links: readonly Link[]
}

export interface Installation {
  machines: Machine[]
  stores: { redis: MachinePart; postgresql: Cluster; s3: MachinePart }
  world: RunningSimulatedWorld
  /** The environment of the machines, over ways that are never cut. */
  environment: NodeJS.ProcessEnv
  folder: string
  logOf: (name: string) => string
  /** Copies the logs of the machines to a folder that stays; returns it. */
  keepLogs: () => Promise<string>
  close: () => Promise<void>
}

/** In the log of a machine, marks a new process. */
export const STARTED = 'a machine is started'

/** The pause of the service manager. */
const RESTART_MS = 1_000

/** A child process that is started again with the same arguments; also when it ends by itself. */
function part(
  { child: endWithRun }: Reaper,
  name: string,
  spawnIt: () => ChildProcess,
  isReady: (child: ChildProcess) => Promise<void>,
): MachinePart {
  let child: ChildProcess | null = null
  let isWanted = false
  const startIt = async () => {
    child = spawnIt()
    endWithRun(child)
    const own = child
    own.once('exit', (code, signal) => {
      if (!isWanted || child !== own) return
      process.stderr.write(`${name} ended by itself (${signal ?? code})\n`)
      setTimeout(() => isWanted && child === own && void startIt().catch(() => undefined), RESTART_MS)
    })
    await isReady(own)
  }
  return {
    name,
    pid: () => child?.pid ?? 0,
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
    signal: (signal) => {
      if (signal === 'SIGTERM') isWanted = false
      child?.kill(signal)
    },
    kill: async () => {
      isWanted = false
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    start: async () => {
      isWanted = true
      await startIt()
    },
  }
}

const saysOnStdout = (words: string) => (child: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes(words) && resolve())
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said "${words}"`)))
  })

export interface InstallationOptions {
  serves?: number
  works?: number
  publish_seconds?: number
  drain_seconds?: number
  /** Called with the readings of every answer that the simulated sources sent. */
  onSent?: (readings: SentReading[]) => void
}

/** Starts a real Redis, PostgreSQL and S3 server, a simulated world, and machines with disks of their own. */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const reaper = startReaper()
  try {
    return await startParts(reaper, options)
  } catch (error) {
    await reaper.close()
    throw error
  }
}

async function startParts(
  reaper: Reaper,
  { serves = 2, works = 2, publish_seconds = 5, drain_seconds = 0, onSent }: InstallationOptions,
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-chaos-'))
  reaper.folder(folder)
  const logOf = (name: string) => join(folder, `${name}.log`)
  const descriptors = new Map<string, number>()
  const logged = (name: string) => {
    return getOrCreate(descriptors, name, () => openSync(logOf(name), 'a'))
  }
  const [redisPort, s3Port] = [await freePort(), await freePort()]
  const redis = part(
    reaper,
    'redis',
    () =>
      spawn('redis-server', ['--port', String(redisPort), '--save', '', '--appendonly', 'no', '--dir', folder], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    saysOnStdout('Ready to accept'),
  )
  mkdirSync(join(folder, 's3', BUCKET), { recursive: true })
  const s3 = part(
    reaper,
    's3',
    () =>
      spawn(s3Program() ?? '', ['--port', `127.0.0.1:${s3Port}`, '--quiet', 'posix', join(folder, 's3')], {
        env: { ROOT_ACCESS_KEY: CREDENTIALS.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
        stdio: ['ignore', 'ignore', logged('s3')],
      }),
    () =>
      until('the S3 server answers', 10_000, async () => Boolean(await fetch(`http://127.0.0.1:${s3Port}`))).then(
        () => undefined,
      ),
  )
  await redis.start()
  await s3.start()
  const postgresql = await startCluster({ durable: true, onFolder: reaper.folder, onSpawn: reaper.child })
  await postgresql.run('postgres', 'CREATE DATABASE state')
  const world = await startSimulatedWorld({ seed: 11, ...(onSent && { onExpectedReadings: onSent }) })

  const environmentOver = (ports: { redis: number; postgresql: string; s3: number }): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...storeEnvironment(`http://127.0.0.1:${ports.s3}`, 'chaos'),
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    DATABASE_URL: ports.postgresql,
    HOLDSHORT_DUCKDB_EXTENSIONS: DUCKDB_FOLDER,
    HOLDSHORT_KEY_PEPPER: PEPPER,
    HOLDSHORT_SIMULATED_WORLD: world.url,
    HOLDSHORT_PUBLISH_SECONDS: String(publish_seconds),
    HOLDSHORT_DRAIN_SECONDS: String(drain_seconds),
    HOLDSHORT_TRAINING_SETTINGS: projectFile('config', 'training', 'demo.json'),
    HOLDSHORT_LOG_LEVEL: 'info',
    HOLDSHORT_METRICS_FROM: '127.0.0.0/8',
  })
  const direct = postgresql.url('state')
  const environment = environmentOver({ redis: redisPort, postgresql: direct, s3: s3Port })

  await promisify(execFile)(process.execPath, [CLI, 'store', 'create', '--data-dir', join(folder, 'operator')], {
    env: environment,
  })

  const machine = async (role: Machine['role'], index: number): Promise<Machine> => {
    const name = `${role}-${index}`
    const links = [
      await openLink(redisPort),
      await openLink(Number(new URL(direct).port)),
      await openLink(s3Port),
    ] as const
    const viaLink = new URL(direct)
    viaLink.port = String(links[1].port)
    const port = await freePort()
    const own = join(folder, name)
    const env = Object.assign(environmentOver({ redis: links[0].port, postgresql: viaLink.href, s3: links[2].port }), {
      HOLDSHORT_DATA_DIR: own,
      HOLDSHORT_PORT: String(port),
    })
    const spawnIt = () => {
      appendFileSync(logOf(name), `${JSON.stringify({ msg: STARTED })}\n`)
      return spawn(process.execPath, [CLI, role], { env, stdio: ['ignore', 'ignore', logged(name)] })
    }
    const machinePart = part(reaper, name, spawnIt, async () => undefined)
    return Object.assign(machinePart, { role, url: `http://127.0.0.1:${port}`, folder: own, links })
  }
  const machines = [
    ...(await Promise.all(Array.from({ length: works }, (_, index) => machine('work', index + 1)))),
    ...(await Promise.all(Array.from({ length: serves }, (_, index) => machine('serve', index + 1)))),
  ]
  return {
    machines,
    stores: { redis, postgresql, s3 },
    world,
    environment,
    folder,
    logOf,
    keepLogs: async () => {
      const logs = await mkdtemp(join(tmpdir(), 'holdshort-chaos-logs-'))
      await Promise.all(machines.map(({ name }) => copyFile(logOf(name), join(logs, `${name}.log`))))
      return logs
    },
    close: async () => {
      // SIGKILL ends a frozen process too.
      for (const { kill } of [...machines, redis, s3]) await kill()
      for (const { links } of machines) for (const link of links) link.close()
      await postgresql.remove()
      await world.close()
      for (const descriptor of descriptors.values()) closeSync(descriptor)
      await reaper.close()
    },
  }
}

/** Waits until a condition holds. @throws after the limit, with what was waited for */
export async function until(what: string, limitMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  for (;;) {
    if (await isSo().catch(() => false)) return performance.now() - started
    if (performance.now() - started > limitMs) throw new Error(`${what}: not within ${limitMs} ms`)
    await sleep(100)
  }
}
