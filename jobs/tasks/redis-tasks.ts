import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlowProducer, type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { openRedis, type RedisOptions } from '../redis/connection.ts'
import { lockKey, takeLock } from '../redis/lock.ts'
import { rejectOnAbort } from '../reject-on-abort.ts'
import type { Contents, TaskImplementation, TaskResults, TaskRunner } from './define-task.ts'
import { createLocalTasks } from './local-tasks.ts'

/**
 * Tasks over Redis as a BullMQ flow: the children are the requests, the parent gathers their results once all are done. Each
 * build has queues of its own, so that no machine does the tasks of another build. Bytes go through `Contents`, not through Redis.
 */
const queueNames = (build: string) => ({ tasks: `tasks-${build}`, gathering: `gather-${build}` })

/** The task of a machine that died or froze is given to another one after this time and one interval at most. */
const STALLED_MS = 15_000
const STALLED_CHECK_MS = 5_000
/** A task is never given up because its machines died. */
const MAX_STALLED = 1_000
const ATTEMPTS = 3
const ATTEMPT_PAUSE_MS = 1_000
/** Finished jobs stay this long, for the run that waits for them. */
const RETENTION = { age: 3_600, count: 1_000 }
/** If no machine does tasks for this long, the run does them itself. */
const NO_MACHINE_MS = 30_000
const WATCH_MS = 1_000

const ignoreError = () => undefined

/** A request as a child of a flow. */
interface Child {
  /** The run that waits for it. A run that ended, or died, no longer holds the lock of this name. */
  run: string
  position: number
  /** Names the contents of the run. */
  place: string
  request: unknown
}

/** The reference of a child's result; null when nobody waited for it any more. */
type ChildResult = { position: number; reference: string } | null

export interface RedisTaskOptions extends RedisOptions {
  build: string
}

const runLock = (run: string) => `run:${run}`

/**
 * Runs tasks on the machines of an installation. What no machine does, because none is there, Redis is away or the task
 * fails, is done in this process when its result is wanted.
 */
export function openRedisTasks(
  implementation: TaskImplementation,
  {
    build,
    place,
    contents,
    no_machine_ms = NO_MACHINE_MS,
    onLocal,
    ...options
  }: RedisTaskOptions & {
    place: string
    contents: Contents
    no_machine_ms?: number
    /** Called with the reason when this process does the tasks itself. */
    onLocal: (reason: string) => void
  },
): TaskRunner {
  const redis = openRedis(options)
  const { prefix } = redis
  const closing = new AbortController()
  const names = queueNames(build)
  const connection = redis.connect()
  const tasks = new Queue(names.tasks, { connection, prefix }).on('error', ignoreError)
  const flows = new FlowProducer({ connection, prefix }).on('error', ignoreError)
  const gathered = new QueueEvents(names.gathering, { connection: redis.connect(), prefix }).on('error', ignoreError)
  const local = createLocalTasks(implementation, contents)

  /** Rejects when no machine that does these tasks has been seen for a while. */
  const whenNoMachine = async (signal: AbortSignal): Promise<never> => {
    for (let seen = performance.now(); ; await sleep(WATCH_MS, undefined, { signal })) {
      const count = await Promise.race([
        tasks.getWorkersCount().catch(() => 0),
        sleep(no_machine_ms, 0, { ref: false }),
      ])
      if (count > 0) seen = performance.now()
      else if (performance.now() - seen > no_machine_ms) throw new Error('no machine with this build is there')
    }
  }
  const runFlow = async (name: string, requests: readonly unknown[], signal: AbortSignal): Promise<ChildResult[]> => {
    const run = randomUUID()
    const lock = await takeLock(connection, prefix, runLock(run))
    const addAndWait = async () => {
      const { job } = await flows.add({
        name,
        queueName: names.gathering,
        opts: { jobId: run, removeOnComplete: RETENTION, removeOnFail: RETENTION },
        children: requests.map((request, position) => ({
          name,
          queueName: names.tasks,
          data: { run, position, place, request } satisfies Child,
          opts: {
            jobId: `${run}-${position}`,
            attempts: ATTEMPTS,
            backoff: { type: 'fixed', delay: ATTEMPT_PAUSE_MS },
            failParentOnFailure: true,
            removeOnComplete: true,
            removeOnFail: RETENTION,
          },
        })),
      })
      return (await job.waitUntilFinished(gathered)) as ChildResult[]
    }
    try {
      signal.throwIfAborted()
      // A flow that nobody waits for any more gives its lock back, also while Redis does not answer.
      return await Promise.race([addAndWait(), rejectOnAbort(signal)])
    } finally {
      await lock?.()
    }
  }
  return {
    contents,
    start: async (task, requests): Promise<TaskResults> => {
      const own = await local.start(task, requests)
      const ended = new AbortController()
      const signal = AbortSignal.any([ended.signal, closing.signal])
      const flow = runFlow(task.name, requests, signal)
      flow.catch(ignoreError)
      const done = Promise.race([flow, whenNoMachine(signal), rejectOnAbort(signal)])
        .then((results) => new Map(results.flatMap((result) => (result ? [[result.position, result.reference]] : []))))
        .catch((error: Error) => {
          if (!signal.aborted) onLocal(error.message)
          return new Map<number, string>()
        })
        .finally(() => ended.abort())
      return {
        result: async (position) => {
          const reference = (await done).get(position)
          return reference === undefined ? own.result(position) : contents.get(reference)
        },
        close: async () => ended.abort(),
      }
    },
    close: async () => {
      closing.abort()
      await redis.close([tasks.close(), flows.close(), gathered.close()])
    },
  }
}

export interface TaskServer {
  close: () => Promise<void>
}

/**
 * Does the tasks of this build, one at a time, and gathers the results of flows. `run` does one and returns the reference of
 * its result; it must leave the event loop free, because the machine that does a task says so again every few seconds.
 */
export function serveTasksOnRedis(
  run: (task: { name: string; request: unknown; place: string }, signal: AbortSignal) => Promise<string>,
  { build, ...options }: RedisTaskOptions,
): TaskServer {
  const redis = openRedis(options)
  const { prefix } = redis
  const closing = new AbortController()
  const names = queueNames(build)
  const connection = redis.connect()
  const settings = {
    prefix,
    lockDuration: STALLED_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
  }
  const worker = new Worker(
    names.tasks,
    async ({ name, data }: Job<Child>): Promise<ChildResult> => {
      if ((await connection.exists(lockKey(prefix, runLock(data.run)))) === 0) return null
      const { request, place, position } = data
      return { position, reference: await run({ name, request, place }, closing.signal) }
    },
    { connection: redis.connect(), concurrency: 1, ...settings },
  ).on('error', ignoreError)
  const gatherer = new Worker(
    names.gathering,
    async (job: Job): Promise<ChildResult[]> => Object.values(await job.getChildrenValues<ChildResult>()),
    { connection: redis.connect(), concurrency: 4, ...settings },
  ).on('error', ignoreError)
  return {
    close: async () => {
      closing.abort(new Error('this machine stops'))
      await redis.close([worker.close(), gatherer.close()])
    },
  }
}
