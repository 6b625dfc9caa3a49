import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { AccountDependencies } from '../../accounts/dependencies.ts'
import { prepareNameIndex } from '../../answers/search/name-index.ts'
import type { AppDependencies, PeriodicTask } from '../../api/dependencies.ts'
import { failuresOf } from '../../api/state/failure-log.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { addresses } from '../../config/addresses.ts'
import { maxConnections } from '../../config/open-files.ts'
import { steadyClock } from '../../config/steady-clock.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { buildApp } from './app.ts'
import { PERIODIC_TASKS } from './registry.ts'

/** Time that requests in progress get to finish when the server stops. */
const DRAIN_TIMEOUT_MS = 3_500

export interface RunningServer {
  /** The address on which it listens, e.g. http://127.0.0.1:8080 */
  address: string
  site_url: string
  /** Fulfilled when what first requests would wait for is prepared. */
  prepared: Promise<void>
  /** Says from now on that it is not ready, and closes each connection with its next answer; everything is still answered. */
  drain: () => void
  /** Accepts no new requests, lets those in progress finish (up to 3.5 s) and writes usage. May be called twice. */
  stop: () => Promise<void>
}

/** Listens on the address in the settings. The caller closes the state and the snapshot holder after `stop`. */
export async function startServer(dependencies: AccountDependencies): Promise<RunningServer> {
  const { settings } = dependencies
  let isDraining = false
  const app = await buildApp({ ...dependencies, isDraining: () => isDraining })
  const connections = maxConnections()
  if (connections !== null) app.server.maxConnections = connections
  warnOfDrops(app.server, dependencies)
  const address = await app.listen({ host: settings.host, port: settings.port })
  const prepared = prepareAfterStart(app.preparations, dependencies)
  const periodicTasks = startPeriodicTasks(dependencies)
  let stopping: Promise<void> | null = null
  const stop = async () => {
    const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
    try {
      await periodicTasks.stop()
      await app.close()
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    address,
    site_url: addresses(settings).site_url,
    prepared,
    drain: () => {
      isDraining = true
    },
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Requests that wait for the start are answered before anything is prepared, and others in between. */
const PREPARE_PAUSE_MS = 300

/**
 * Prepares what the first request would otherwise wait for. A killed process answers half a second sooner than if this ran
 * first. If something fails, the first request tries again and reports it.
 */
export async function prepareAfterStart(
  preparations: readonly (() => unknown)[],
  { directory, logger }: Pick<AccountDependencies, 'directory' | 'logger'>,
): Promise<void> {
  for (const prepare of [...preparations, () => prepareNameIndex(directory)]) {
    await sleep(PREPARE_PAUSE_MS, undefined, { ref: false })
    try {
      await prepare()
    } catch (error) {
      logger?.error({ error: (error as Error).message }, 'could not be prepared; the first request tries again')
    }
  }
}

/** How often the log says that connections are turned away. */
const WARN_EVERY_MS = 60_000

function warnOfDrops(server: Server, { logger }: AccountDependencies): void {
  let warned = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - warned < WARN_EVERY_MS) return
    warned = performance.now()
    const limit = server.maxConnections
    logger?.warn(
      { limit },
      'as many connections are open as the limit of open files allows; more are closed at once (ulimit -n)',
    )
  })
}

/** Runs each periodic task at its interval, never twice at the same time. A task that fails is logged and runs again. */
export function startPeriodicTasks(dependencies: AppDependencies): { stop: () => Promise<void> } {
  const { clock = Date.now, logger, state } = dependencies
  const isClockTrusted = watchClock(state.db, clock, steadyClock(clock))
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const failures = failuresOf(logger)
  let isTrusted = true
  const runTask = async ({ by_age, run }: PeriodicTask) => {
    if (by_age) {
      const before = isTrusted
      isTrusted = await isClockTrusted()
      if (before && !isTrusted)
        logger?.warn('the clock was set or is in doubt: for an hour nothing is ended or deleted by age')
      if (!isTrusted) return
    }
    await run(dependencies, clock(), stopping.signal)
  }
  const timers = PERIODIC_TASKS.map((task) =>
    setInterval(() => {
      if (running.has(task.name)) return
      const done = runTask(task)
        .then(() => failures.taskSucceeded(task.name))
        .catch((error) =>
          failures.taskFailed(task.name, error, 'a periodic task failed; it runs again at its next interval'),
        )
        .finally(() => running.delete(task.name))
      running.set(task.name, done)
    }, task.every_ms).unref(),
  )
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}

/** A clock that moved by more than this against the steady one was set, or the machine was suspended. */
const MAX_JUMP_MS = 600_000
/** For this long afterwards, nothing expires because of its age. */
const DOUBT_MS = HOUR_MS
/** A service that was off for longer than this, by its clock, waits as long before it believes the clock. */
const MAX_GAP_MS = 2 * DAY_MS

/**
 * Determines whether the clock is trusted. A clock that is years ahead for two minutes would otherwise sign everybody out, end
 * every grant and disconnect every client.
 */
export function watchClock(db: Kysely<StateTables>, clock: () => number, steady: () => number): () => Promise<boolean> {
  let offset = clock() - steady()
  let doubtUntil = Number.NEGATIVE_INFINITY
  let comparing: Promise<void> | null = null
  const compareWithHistory = async () => {
    const { newest } = await db
      .selectFrom('served_minutes')
      .select(({ fn }) => fn.max('minute').as('newest'))
      .executeTakeFirstOrThrow()
    const gap = newest === null ? 0 : Math.abs(clock() - Number(newest) * 60_000)
    if (gap > MAX_GAP_MS) doubtUntil = steady() + DOUBT_MS
  }
  return async () => {
    comparing ??= compareWithHistory()
    await comparing.catch(() => {
      comparing = null
    })
    const jump = clock() - steady() - offset
    if (Math.abs(jump) > MAX_JUMP_MS) {
      offset += jump
      doubtUntil = steady() + DOUBT_MS
    }
    return steady() >= doubtUntil
  }
}
