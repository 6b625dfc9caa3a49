import { DAY_MS, isoUtc } from '../config/domain.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { adjustmentFactors } from '../warehouse/tables/adjustments.ts'
import { backtests } from '../warehouse/tables/forecasts.ts'
import { nowcasts } from '../warehouse/tables/nowcasts.ts'
import { backtestScores } from '../warehouse/tables/scores.ts'
import { pruneArtifacts, saveArtifact } from './artifacts/artifact.ts'
import { versionFolder } from './artifacts/artifact-card.ts'
import { type ObservedWaits, readObservedWaits } from './assimilation/observed-waits.ts'
import { readSeries, withoutSoleTerminals } from './border/border-history.ts'
import { type HistoryRequest, newestAvailable, readLaneHistory, subjectName } from './history/hourly-series.ts'
import { disposeNet } from './models/quantile-net.ts'
import { trainNowcasts } from './nowcast/train-nowcasts.ts'
import { challenged, unpublished } from './registry/challenge.ts'
import { EMPTY_REGISTRY, type HeldModel, readRegistry, servingFolder, writeRegistry } from './registry/registry.ts'
import { daySums, listRuns, pruneRuns, saveRun, type TrainingRun } from './registry/runs.ts'
import { settingsOfKind, type TrainedKind } from './settings/kinds.ts'
import { digestOfSettings, type RunSettings } from './settings/run-settings.ts'
import { type ModelBacktest, type TrainedAirport, type TrainOptions, trainSeries, type Untrained } from './train.ts'

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
  /** Name of the run in `holdshort models`; default: its cutoff and the digest of its settings. */
  name?: string
  /** False keeps the scores of the run and leaves the models that serve as they are. */
  serves?: boolean
  tasks?: NonNullable<TrainOptions['tasks']>
  onProgress?: (done: number, total: number) => void
  onBacktest?: NonNullable<TrainOptions['onBacktest']>
}

/** Trains from the warehouse: writes artifacts to the models folder and lands `backtests` rows. */
export async function trainAll(
  warehouse: Warehouse,
  options: TrainAllOptions,
): Promise<{ rows: ModelBacktest[]; untrained: Untrained[]; run: string; held: HeldModel[] }> {
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
  const isPublished = options.serves ?? true
  const candidate = runOf(selected, { kind, cutoff_ms, now, settings, name: options.name })
  const earlier = await listRuns(modelsDir, kind)
  const run = isPublished ? challenged(candidate, earlier, settings.challenger) : unpublished(candidate)
  if (selected.length > 0) {
    await saveRun(modelsDir, run)
    await pruneRuns(modelsDir, earlier)
  }
  const held = run.airports.flatMap(({ subject, version, held: reason }) =>
    reason === null ? [] : [{ kind, subject, version, reason }],
  )
  if (isPublished) await saveArtifacts(modelsDir, kind, selected, held, now)
  for (const net of new Set(trained.map(({ artifact }) => artifact.net))) disposeNet(net)
  const isServing = ({ artifact }: TrainedAirport) =>
    isPublished && !held.some(({ version }) => version === versionFolder(artifact.card))
  const serving = selected.filter(isServing)
  const rows = selected.map(({ row }) => row)
  await warehouse.land(
    backtests,
    serving.map(({ row }) => row),
  )
  await warehouse.land(
    backtestScores,
    serving.flatMap(({ scores }) => scores),
  )
  await warehouse.land(
    adjustmentFactors,
    serving.flatMap(({ adjustment }) => adjustment ?? []),
  )
  // Airports without a model of their own have a nowcast as well.
  if (kind === 'security' && isPublished) {
    const own = await trainNowcasts(warehouse, { cutoff_ms, trained_ms: now })
    await warehouse.land(
      nowcasts,
      own.filter(({ iata }) => isSelected(iata)),
    )
  }
  return { rows, untrained: untrained.filter(({ iata }) => isSelected(iata)), run: run.name, held }
}

interface RunContext {
  kind: TrainedKind
  cutoff_ms: number
  now: number
  settings: RunSettings
  name: string | undefined
}

function runOf(trained: readonly TrainedAirport[], { kind, cutoff_ms, now, settings, name }: RunContext): TrainingRun {
  const settings_digest = digestOfSettings(settings)
  return {
    format: 1,
    name: name ?? `${isoUtc(cutoff_ms).slice(0, 13)}Z-${settings_digest}`,
    kind,
    trained_at: isoUtc(now),
    cutoff: isoUtc(cutoff_ms),
    settings,
    settings_digest,
    airports: trained.map(({ artifact: { card }, scores }) => ({
      subject: subjectName(card),
      version: versionFolder(card),
      held: null,
      days: daySums(scores),
    })),
  }
}

/**
 * Saves the models and which of them are held back; what serves is never pruned.
 * @throws HoldshortError MODEL_INVALID when the registry is damaged: the models are saved, and nothing is pruned
 */
async function saveArtifacts(
  modelsDir: string,
  kind: TrainedKind,
  trained: readonly TrainedAirport[],
  held: readonly HeldModel[],
  now: number,
): Promise<void> {
  let damaged: unknown = null
  const registry = await readRegistry(modelsDir).catch((error: unknown) => {
    damaged = error
    return EMPTY_REGISTRY
  })
  const isNew = (each: HeldModel) =>
    trained.some(({ artifact: { card } }) => each.kind === kind && each.version === versionFolder(card))
  const next = {
    format: 1 as const,
    pins: registry.pins,
    held: [...registry.held.filter((each) => !isNew(each)), ...held],
  }
  if (damaged === null && (registry.held.length > 0 || held.length > 0)) await writeRegistry(modelsDir, next)
  for (const { artifact } of trained) {
    await saveArtifact(modelsDir, artifact)
    if (damaged !== null) continue
    const subject = subjectName(artifact.card)
    const serving = await servingFolder(modelsDir, next, { kind, subject }, now)
    await pruneArtifacts(modelsDir, kind, subject, ARTIFACTS_PER_AIRPORT, serving)
  }
  if (damaged !== null) throw damaged
}
