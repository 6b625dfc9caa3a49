import { DAY_MS, isoUtc } from '../config/domain.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { adjustmentFactors } from '../warehouse/tables/adjustments.ts'
import { backtests } from '../warehouse/tables/forecasts.ts'
import { nowcasts } from '../warehouse/tables/nowcasts.ts'
import { backtestScores } from '../warehouse/tables/scores.ts'
import { pruneArtifacts, saveArtifact } from './artifacts/artifact.ts'
import { type ObservedWaits, readObservedWaits } from './assimilation/observed-waits.ts'
import { readSeries, withoutSoleTerminals } from './border/border-history.ts'
import { type HistoryRequest, newestAvailable, readLaneHistory, subjectName } from './history/hourly-series.ts'
import { disposeNet } from './models/quantile-net.ts'
import { trainNowcasts } from './nowcast/train-nowcasts.ts'
import { settingsOfKind, type TrainedKind } from './settings/kinds.ts'
import type { RunSettings } from './settings/run-settings.ts'
import { type ModelBacktest, type TrainOptions, trainSeries, type Untrained } from './train.ts'

const ARTIFACTS_PER_AIRPORT = 5

export interface TrainAllOptions {
  kind?: TrainedKind
  /** Writes artifacts of these airports only; the net still learns from all. */
  airports?: readonly string[]
  /** Epoch ms; default: when the newest hour became known, so that the same history always gives the same models. */
  cutoff?: number
  now: number
  modelsDir: string
  settings?: RunSettings
  onProgress?: (done: number, total: number) => void
  onBacktest?: NonNullable<TrainOptions['onBacktest']>
}

/** Trains from the warehouse: writes artifacts to the models folder and lands `backtests` rows. */
export async function trainAll(
  warehouse: Warehouse,
  options: TrainAllOptions,
): Promise<{ rows: ModelBacktest[]; untrained: Untrained[] }> {
  const { now, modelsDir, kind = 'security' } = options
  const settings = settingsOfKind(kind, options.settings)
  const cutoff_ms = options.cutoff ?? (await newestAvailable(warehouse, kind, now)) ?? now
  const request: Required<Pick<HistoryRequest, 'kind' | 'cutoff' | 'from'>> = {
    kind,
    cutoff: isoUtc(cutoff_ms),
    from: isoUtc(cutoff_ms - settings.history.days * DAY_MS),
  }
  const isSecurity = kind === 'security'
  const series = await readSeries(warehouse, request)
  const lanes = isSecurity ? await readLaneHistory(warehouse, request) : []
  const observed = isSecurity
    ? await readObservedWaits(warehouse, { kind, cutoff_ms, days: settings.backtest.hold_out_days + 1 })
    : new Map<string, ObservedWaits>()
  const { trained, untrained } = await trainSeries(isSecurity ? series : withoutSoleTerminals(series), {
    ...options,
    kind,
    settings,
    cutoff_ms,
    trained_ms: now,
    lanes,
    observed,
  })
  const isSelected = (iata: string) => options.airports === undefined || options.airports.includes(iata)
  const selected = trained.filter(({ row }) => isSelected(row.iata))
  for (const { artifact } of selected) {
    await saveArtifact(modelsDir, artifact)
    await pruneArtifacts(modelsDir, kind, subjectName(artifact.card), ARTIFACTS_PER_AIRPORT)
  }
  const sharedNet = trained[0]?.artifact.net
  if (sharedNet) disposeNet(sharedNet)
  const rows = selected.map(({ row }) => row)
  await warehouse.land(backtests, rows)
  await warehouse.land(
    backtestScores,
    selected.flatMap(({ scores }) => scores),
  )
  await warehouse.land(
    adjustmentFactors,
    selected.flatMap(({ adjustment }) => adjustment ?? []),
  )
  // Airports without a model of their own have a nowcast as well.
  if (kind === 'security') {
    const own = await trainNowcasts(warehouse, { cutoff_ms, trained_ms: now })
    await warehouse.land(
      nowcasts,
      own.filter(({ iata }) => isSelected(iata)),
    )
  }
  return { rows, untrained: untrained.filter(({ iata }) => isSelected(iata)) }
}
