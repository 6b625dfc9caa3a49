import { setTimeout as sleep } from 'node:timers/promises'
import { rejectOnAbort } from '../reject-on-abort.ts'
import type { JobDefinition } from './definition.ts'

/** Whether a run may go on: false once another machine may have begun the same job, because this process was frozen. */
export type MayGoOn = () => boolean

/**
 * Does the work of a job. A rejection is a failed attempt; the signal fires when the run timed out or the runner is stopping.
 * Work that must not happen twice at once asks `mayGoOn` before each step.
 */
export type JobWork = (job: JobDefinition, signal: AbortSignal, mayGoOn?: MayGoOn) => Promise<void>

export interface JobEvents {
  /** An attempt failed; `final` when no further attempt follows in this tick. The schedule continues either way. */
  onFailure?: (job: JobDefinition, error: unknown, attempt: number, final: boolean) => void
  /** A tick was skipped because the previous run has not ended. */
  onSkip?: (job: JobDefinition) => void
}

export interface RunnerOptions extends JobEvents {
  /** How many jobs may run at the same time. */
  concurrency: number
}

/** Runs jobs on their schedule. The local and the Redis runner behave the same and pass the same tests. */
export interface JobRunner {
  start: () => Promise<void>
  /** Runs a job now, outside its schedule; resolves when that run has ended. A run that is already under way is awaited instead. */
  runNow: (name: string) => Promise<void>
  /** Stops the schedule, signals running jobs to stop and waits for them, at most `graceMs`. */
  stop: (graceMs?: number) => Promise<void>
}

/**
 * Runs one tick of a job: attempts with doubling pauses, each with its own timeout. Resolves when an attempt succeeded or the
 * last one failed. `settled` resolves when the work has really ended, which is later if the work ignores its signal; no other
 * run of the job may start before that.
 */
export async function runAttempts(
  job: JobDefinition,
  work: JobWork,
  stopping: AbortSignal,
  events: JobEvents,
  mayGoOn?: MayGoOn,
): Promise<{ settled: Promise<void> }> {
  let settled: Promise<void> = Promise.resolve()
  for (let attempt = 1; attempt <= job.attempts && !stopping.aborted; attempt += 1) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeout_ms)])
    const started = work(job, signal, mayGoOn)
    settled = started.then(
      () => undefined,
      () => undefined,
    )
    try {
      await Promise.race([started, rejectOnAbort(signal, abortError(job))])
      return { settled }
    } catch (error) {
      const final = attempt === job.attempts || signal.aborted
      events.onFailure?.(job, error, attempt, final)
      if (final) return { settled }
      await sleep(job.backoff_ms * 2 ** (attempt - 1), undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return { settled }
}

/** The runner is stopping; the job did not fail. */
export class JobStopped extends Error {}

/** The error of a run whose signal fires: the runner is stopping, or the time of the job is over. */
const abortError = (job: JobDefinition) => (reason: unknown) =>
  reason instanceof JobStopped ? reason : new Error(`job ${job.name} took over ${job.timeout_ms} ms`)
