import type { JobDefinition } from './definition.ts'

/** Does a job. Rejecting means the attempt failed; the signal fires when the run took too long or we are stopping. */
export type JobWork = (job: JobDefinition, signal: AbortSignal) => Promise<void>

export interface JobEvents {
  /** An attempt failed; `final` when no other follows in this tick. The schedule goes on either way. */
  onFailure?: (job: JobDefinition, error: unknown, attempt: number, final: boolean) => void
  /** A tick was left out because the run before it has not ended. */
  onSkip?: (job: JobDefinition) => void
}

export interface RunnerOptions extends JobEvents {
  /** Jobs of one kind that may run side by side. */
  concurrency: number
}

/** Runs definitions on their schedule. Local and Redis runners behave the same; one test suite holds both. */
export interface JobRunner {
  start: () => Promise<void>
  /** Runs a job now, besides its schedule; resolves when that run has ended. A run under way is joined, not doubled. */
  runNow: (name: string) => Promise<void>
  /** Stops the schedule, tells running jobs to stop and waits for them, at most `graceMs`. */
  stop: (graceMs?: number) => Promise<void>
}

/**
 * Runs one tick of a job: attempts with doubling pauses, each under its own timeout. Resolves when the tick is decided;
 * `settled` resolves when its work has truly ended, which may be later for work that does not listen to its signal.
 * Until then no other run of the job may begin.
 */
export async function runAttempts(
  job: JobDefinition,
  work: JobWork,
  stopping: AbortSignal,
  events: JobEvents,
): Promise<{ settled: Promise<void> }> {
  let settled: Promise<void> = Promise.resolve()
  for (let attempt = 1; attempt <= job.attempts && !stopping.aborted; attempt += 1) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeout_ms)])
    const started = work(job, signal)
    settled = started.then(
      () => undefined,
      () => undefined,
    )
    try {
      await Promise.race([started, rejectedBy(signal, job)])
      return { settled }
    } catch (error) {
      const final = attempt === job.attempts || signal.aborted
      events.onFailure?.(job, error, attempt, final)
      if (final) return { settled }
      await pause(job.backoff_ms * 2 ** (attempt - 1), stopping)
    }
  }
  return { settled }
}

/** The runner is stopping: not a fault of the job. */
export class JobStopped extends Error {}

function rejectedBy(signal: AbortSignal, job: JobDefinition): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(
        signal.reason instanceof JobStopped
          ? signal.reason
          : new Error(`job ${job.name} took over ${job.timeout_ms} ms`),
      )
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      stopping.removeEventListener('abort', done)
      resolve()
    }
    stopping.addEventListener('abort', done, { once: true })
  })
}
