import { readSettings } from '../../config/settings.ts'
import { createFitTask } from '../../training/fits/fit-task.ts'
import { openTaskContents } from './task-contents.ts'
import { watchParent } from './watch-parent.ts'

/** A task to do: sent by the pipeline that started this process. */
export interface TaskOrder {
  name: string
  request: unknown
  place: string
}

/** The reference of the result, or why there is none. */
export type TaskAnswer = { reference: string } | { error: string }

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
