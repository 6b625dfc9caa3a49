import { openTaskContents } from '../../bin/runtime/task-contents.ts'
import { readSettings } from '../../config/settings.ts'
import { serveTasksOnRedis } from '../../jobs/tasks/redis-tasks.ts'
import { createFitTask } from '../../training/fits/fit-task.ts'

/** A machine that does fits over Redis and says each on stdout. With `hangs` it never ends one. */
const [redis_url = '', build = '', data_dir = '', hangs] = process.argv.slice(2)
const fit = createFitTask()
serveTasksOnRedis(
  async ({ request, place }) => {
    process.stdout.write(`began ${JSON.stringify(request)}\n`)
    if (hangs === 'hangs') await new Promise(() => undefined)
    const contents = await openTaskContents(readSettings({ HOLDSHORT_DATA_DIR: data_dir }), place)
    return contents.put(await fit.run(request, contents))
  },
  { redis_url, build },
)
process.stdout.write('serving\n')
