import type { AppDependencies } from './data/dependencies.ts'
import { CHORES } from './periodic-tasks.ts'

/** Does each chore in its rhythm, never twice at once; one that fails is logged and comes round again. */
export function startChores(dependencies: AppDependencies): { stop: () => Promise<void> } {
  const { clock = Date.now, logger } = dependencies
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const timers = CHORES.map(({ name, every_ms, run }) =>
    setInterval(() => {
      if (running.has(name)) return
      const done = run(dependencies, clock(), stopping.signal)
        .catch((error) => logger?.error({ err: error, chore: name }, 'a chore failed; it comes round again'))
        .finally(() => running.delete(name))
      running.set(name, done)
    }, every_ms).unref(),
  )
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
