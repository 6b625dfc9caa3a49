import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { projectFile } from '../../config/paths.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { createQueue } from '../../config/work-queue.ts'
import { rejectOnAbort } from '../../jobs/reject-on-abort.ts'
import { buildIdentity } from '../../jobs/tasks/build-identity.ts'
import type { TaskServer } from '../../jobs/tasks/redis-tasks.ts'
import { createFitTask } from '../../training/fits/fit-task.ts'
import { environmentOf, type Log } from './environment.ts'
import { lowerPriority } from './lower-priority.ts'
import { openTaskContents } from './task-contents.ts'
import { SUPERVISOR_PID, watchParent } from './watch-parent.ts'

/** A task to do: sent by the pipeline that started this process. */
interface TaskOrder {
  name: string
  request: unknown
  place: string
}

/** The reference of the result, or why there is none. */
type TaskAnswer = { reference: string } | { error: string }

/** The process that computes tasks, one after the other. It ends with the pipeline that started it. */
watchParent()
process.once('disconnect', () => process.exit(0))
const settings = readSettings(process.env)
const fit = createFitTask()

const answer = async ({ name, request, place }: TaskOrder): Promise<TaskAnswer> => {
  try {
    if (name !== fit.name) throw new Error(`no task is called ${name}`)
    const contents = await openTaskContents(settings, place)
    return { reference: await contents.put(await fit.run(request, contents)) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
process.on('message', (order: TaskOrder) => void answer(order).then((result) => process.send?.(result)))

const PROGRAM = projectFile('dist', 'bin', 'runtime', 'compute-tasks.js')
/** The process keeps the examples of a run for its next task; without tasks for this long it ends. */
const IDLE_MS = 60_000

/**
 * Does the tasks of trainings and backtests of the whole installation. They are computed in a process of their own with the lowest
 * priority, so that collecting, leading and publishing never wait for them.
 */
export async function serveTasks(settings: Settings, log: Log, redis_url: string): Promise<TaskServer> {
  const inTurn = createQueue()
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    child?.kill('SIGKILL')
    child = null
  }
  const running = () => {
    if (child?.connected) return child
    child = fork(PROGRAM, [], {
      env: environmentOf(settings, { [SUPERVISOR_PID]: String(process.pid) }),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('error', (error) => log.error({ error: error.message }, 'tasks cannot be done on this machine'))
    if (child.pid !== undefined) lowerPriority('training', child.pid)
    return child
  }
  const compute = async (order: TaskOrder, signal: AbortSignal): Promise<string> => {
    clearTimeout(idle)
    const worker = running()
    const answered = once(worker, 'message') as Promise<[TaskAnswer]>
    const ended = once(worker, 'exit').then(() => {
      throw new Error('the process that computes tasks ended')
    })
    worker.send(order)
    try {
      const [answer] = await Promise.race([answered, ended, rejectOnAbort(signal)])
      if ('error' in answer) throw new Error(answer.error)
      return answer.reference
    } finally {
      for (const promise of [answered, ended]) promise.catch(() => undefined)
      if (signal.aborted) end()
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }
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
      clearTimeout(idle)
      end()
    },
  }
}
