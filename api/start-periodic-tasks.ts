import type { AppDependencies } from './data/dependencies.ts'
import { PERIODIC_TASKS } from './registry.ts'

/** Runs each periodic task at its interval, never twice at the same time. A task that fails is logged and runs again. */
export function startPeriodicTasks(dependencies: AppDependencies): { stop: () => Promise<void> } {
  const { clock = Date.now, logger } = dependencies
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const timers = PERIODIC_TASKS.map(({ name, every_ms, run }) =>
    setInterval(() => {
      if (running.has(name)) return
      const done = run(dependencies, clock(), stopping.signal)
        .catch((error) =>
          logger?.error({ err: error, task: name }, 'a periodic task failed; it runs again at its next interval'),
        )
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
