import { createContext, Script } from 'node:vm'

const context = createContext({ work: null }) as { work: (() => unknown) | null }
const script = new Script('work()')

/**
 * Runs synchronous work and ends it when it takes longer than `limitMs`: also within a regular expression, which a timer
 * cannot interrupt. The work must be pure, because it may stop anywhere.
 * @throws the error of `tooLong`, and those of the work
 */
export function withinTime<T>(limitMs: number, work: () => T, tooLong: () => Error): T {
  const outer = context.work
  context.work = work
  try {
    return script.runInContext(context, { timeout: limitMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw tooLong()
    throw error
  } finally {
    context.work = outer
  }
}
