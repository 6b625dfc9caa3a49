import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { projectFile } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { createQueue } from '../../config/work-queue.ts'
import { rejectOnAbort } from '../../jobs/reject-on-abort.ts'
import { buildIdentity } from '../../jobs/tasks/build-identity.ts'
import type { TaskServer } from '../../jobs/tasks/redis-tasks.ts'
import type { TaskAnswer, TaskOrder } from './compute-tasks.ts'
import { environmentOf } from './environment.ts'
import type { Log } from './log.ts'
import { lowerPriority } from './lower-priority.ts'
import { stdioWithLife, watchedBy, watchLife } from './signs-of-life.ts'

const PROGRAM = projectFile('dist', 'bin', 'runtime', 'compute-tasks.js')
/** The process keeps the examples of a run for its next task; without tasks for this long it ends. */
const IDLE_MS = 60_000

/** A process that computes one task after another; it is started for a task, and again if it ended or could not be started. */
export function taskProcess(settings: Settings, log: Log) {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
  }
  const running = () => {
    // A process that could not be started has no id, and its channel seems connected.
    if (child?.connected && child.pid !== undefined) return child
    child = fork(PROGRAM, [], {
      env: environmentOf(settings, watchedBy(process.pid)),
      stdio: stdioWithLife('ignore'),
    })
    child.on('error', (error) => log.error({ error: error.message }, 'tasks cannot be done on this machine'))
    if (child.pid !== undefined) lowerPriority('training', child.pid)
    watchLife(child, {
      limit_ms: settings.silence_seconds * 1_000,
      onKill: () =>
        log.error({ code: 'PROCESS_SILENT' }, 'the process that computes tasks gives no sign of life; killing it'),
    })
    return child
  }
  const compute = async (order: TaskOrder, signal: AbortSignal): Promise<string> => {
    clearTimeout(idle)
    const worker = running()
    const answered = once(worker, 'message') as Promise<[TaskAnswer]>
    const ended = once(worker, 'exit').then(() => {
      throw new Error('the process that computes tasks ended')
    })
    try {
      // Without an id the error follows as an event.
      if (worker.pid !== undefined) worker.send(order)
      const [answer] = await Promise.race([answered, ended, rejectOnAbort(signal)])
      if ('error' in answer) throw new Error(answer.error)
      return answer.reference
    } finally {
      for (const promise of [answered, ended]) promise.catch(() => undefined)
      if (signal.aborted) end()
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }
  return { compute, end }
}

/**
 * Does the tasks of trainings and backtests of the whole installation. They are computed in a process of their own with the lowest
 * priority, so that collecting, leading and publishing never wait for them.
 */
export async function serveTasks(settings: Settings, log: Log, redis_url: string): Promise<TaskServer> {
  const inTurn = createQueue()
  const { compute, end } = taskProcess(settings, log)
  const { serveTasksOnRedis } = await import('../../jobs/tasks/redis-tasks.ts')
  const server = serveTasksOnRedis(
    async (order, signal) => {
      const reference = await inTurn(() => compute(order, signal))
      log.info({ task: order.name, request: order.request }, 'task done')
      return reference
    },
    { redis_url, build: await buildIdentity() },
  )
  return {
    close: async () => {
      await server.close()
      end()
    },
  }
}
