import { type ErrorCode, HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { createQueue } from '../../config/work-queue.ts'
import { type PredictWhen, type RefreshReport, refresh } from '../../pipeline/refresh.ts'
import { predictAll } from '../../training/predict.ts'
import { updateRecord } from '../../training/record/update-record.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Log } from './log.ts'

export interface Publications {
  /** Rolls up, forecasts when due, and publishes. Publications never overlap: two at once would publish the same instant twice. */
  publish: (options?: { predict?: PredictWhen }) => Promise<RefreshReport>
  /** Why the last publication failed; null when it succeeded, or none has ended yet. */
  failure: () => ErrorCode | null
}

/** The publications of a pipeline. `beforeCurrent` is called with a snapshot before it becomes the current one. */
export function createPublications(
  warehouse: Warehouse,
  settings: Settings,
  log: Log,
  beforeCurrent?: (snapshot: string) => Promise<void>,
): Publications {
  const inTurn = createQueue()
  let failedWith: ErrorCode | null = null
  const context = {
    warehouse,
    now: Date.now,
    simulated: settings.simulated_world !== undefined,
    sources: sourcesOf(settings),
    predict: (now: number) => forecast(warehouse, settings, log, now),
    beforeCurrent,
  }
  const publishOnce = async (options: { predict?: PredictWhen }) => {
    try {
      const report = await refresh(context, options)
      failedWith = null
      return report
    } catch (error) {
      if (!wasAborted(error)) failedWith = error instanceof HoldshortError ? error.code : 'INTERNAL'
      throw error
    }
  }
  return { publish: (options = {}) => inTurn(() => publishOnce(options)), failure: () => failedWith }
}

const wasAborted = (error: unknown) => (error as Error).name === 'AbortError'

/** Scores the forecasts that came true, and makes those of the hours ahead. Returns how many. */
async function forecast(warehouse: Warehouse, settings: Settings, log: Log, now: number): Promise<number> {
  await scoreForecasts(warehouse, log, now)
  return predictAll(warehouse, {
    now,
    modelsDir: dataPaths(settings.data_dir).models,
    onFailure: (iata, error) => log.error({ iata, error: (error as Error).message }, 'model file is unusable'),
  })
}

/** The record can be made later; without it the forecasts are made all the same. */
async function scoreForecasts(warehouse: Warehouse, log: Log, now: number): Promise<void> {
  try {
    const { days, changes } = await updateRecord(warehouse, { now })
    log.debug({ days }, 'forecasts scored')
    for (const { iata, state, reason } of changes) log.warn({ iata, state, reason }, 'forecast drift')
  } catch (error) {
    if (wasAborted(error)) throw error
    log.error({ error: (error as Error).message }, 'the forecasts could not be scored; the next hour repeats it')
  }
}
