import type { TaskRunner } from '../../jobs/tasks/define-task.ts'
import { createLocalTasks } from '../../jobs/tasks/local-tasks.ts'
import { joinFits, type PooledFit } from '../models/pooled-fit.ts'
import { startBackend } from '../models/tensorflow-backend.ts'
import { createFitTask, type FitInput, type FitRequest, fitInputBytes, fitTask, readFit } from './fit-task.ts'

/** The nets of one cutoff: one from each seed. */
export interface Ensemble {
  cutoff_ms: number
  seeds: readonly number[]
}

/** The nets of a training. */
export interface Fits {
  /** The joined nets of an ensemble that was announced; the caller disposes of them. */
  ensemble: (wanted: Ensemble) => Promise<PooledFit>
  close: () => Promise<void>
}

/** Fits of this process alone. */
export const localFits = (): TaskRunner => createLocalTasks(createFitTask())

/**
 * Begins the fits of a training, each a task of its own that any machine of the installation may do. The nets are the same bytes
 * wherever they are fitted.
 */
export async function openFits(tasks: TaskRunner, input: FitInput, ensembles: readonly Ensemble[]): Promise<Fits> {
  const backend = await startBackend()
  const reference = await tasks.contents.put(fitInputBytes(input))
  const requests = ensembles.flatMap(({ cutoff_ms, seeds }) =>
    seeds.map((seed): FitRequest => ({ input: reference, cutoff_ms, seed, backend })),
  )
  const results = await tasks.start(fitTask, requests)
  const positionOf = (cutoff: number, wanted: number) =>
    requests.findIndex(({ cutoff_ms, seed }) => cutoff_ms === cutoff && seed === wanted)
  return {
    ensemble: async ({ cutoff_ms, seeds }) => {
      const fits = []
      for (const seed of seeds) fits.push(readFit(await results.result(positionOf(cutoff_ms, seed))))
      return joinFits(fits, seeds, input.settings)
    },
    close: results.close,
  }
}
