import type { Settings } from '../../config/settings.ts'
import { buildIdentity } from '../../jobs/tasks/build-identity.ts'
import type { TaskRunner } from '../../jobs/tasks/define-task.ts'
import { createFitTask } from '../../training/fits/fit-task.ts'
import { localFits } from '../../training/fits/fits.ts'
import { openTaskContents, taskPlace } from './task-contents.ts'

/** Runs the tasks of a training or a backtest: over Redis on all machines of the installation, otherwise in this process. */
export async function openTasks(settings: Settings): Promise<TaskRunner & AsyncDisposable> {
  const tasks = settings.redis_url === undefined ? localFits() : await tasksOverRedis(settings, settings.redis_url)
  return Object.assign(tasks, { [Symbol.asyncDispose]: tasks.close })
}

async function tasksOverRedis(settings: Settings, redis_url: string): Promise<TaskRunner> {
  const place = taskPlace(settings, Date.now())
  // Imported here so that an installation without Redis does not load the library.
  const { openRedisTasks } = await import('../../jobs/tasks/redis-tasks.ts')
  return openRedisTasks(createFitTask(), {
    redis_url,
    build: await buildIdentity(),
    place,
    contents: await openTaskContents(settings, place),
    onLocal: (reason) => process.stderr.write(`the fits are done in this process: ${reason}\n`),
  })
}
