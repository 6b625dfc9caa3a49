import { setTimeout as sleep } from 'node:timers/promises'
import { bulkhead } from 'cockatiel'
import type { JobDefinition } from './definition.ts'
import { type JobRunner, JobStopped, type JobWork, type RunnerOptions, runAttempts } from './runner.ts'

/** Runs jobs in this process: one timer per job, never two runs of one job at a time, at most `concurrency` runs in all. */
export function createLocalRunner(definitions: JobDefinition[], work: JobWork, options: RunnerOptions): JobRunner {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Map<string, Promise<void>>()
  const slots = bulkhead(options.concurrency, Number.POSITIVE_INFINITY)

  const run = (job: JobDefinition): Promise<void> => {
    const current = running.get(job.name)
    if (current) return current
    const started = slots.execute(async () => {
      const { settled } = await runAttempts(job, work, stopping.signal, options)
      void settled.then(() => running.delete(job.name))
    })
    running.set(job.name, started)
    return started
  }
  const tick = (job: JobDefinition) => {
    if (running.has(job.name)) options.onSkip?.(job)
    else void run(job)
  }

  return {
    start: async () => {
      for (const job of definitions) {
        const first = setTimeout(() => {
          timers.delete(first)
          tick(job)
          timers.add(setInterval(() => tick(job), job.every_seconds * 1_000))
        }, job.first_after_seconds * 1_000)
        timers.add(first)
      }
    },
    runNow: async (name) => {
      const job = definitions.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`no job is called ${name}`)
      await run(job)
    },
    stop: async (graceMs = 4_000) => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      stopping.abort(new JobStopped('stopping'))
      const ended = Promise.allSettled(running.values())
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    },
  }
}
