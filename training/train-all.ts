import { basename } from 'node:path'
import { UsageError } from '../config/errors.ts'
import { DAY_MS, isoUtc } from '../config/vocabulary.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { backtests } from '../warehouse/tables/forecasts.ts'
import { nowcasts } from '../warehouse/tables/nowcasts.ts'
import { backtestScores } from '../warehouse/tables/scores.ts'
import { pruneArtifacts, saveArtifact } from './artifacts/artifact.ts'
import { versionFolder } from './artifacts/artifact-card.ts'
import { readSeries, withoutSoleTerminals } from './border/border-history.ts'
import { type HistoryRequest, newestAvailable, readLaneHistory, subjectName } from './history/hourly-series.ts'
import { disposeNet } from './models/quantile-net.ts'
import { trainNowcasts } from './nowcast/train-nowcasts.ts'
import { challenged, unpublished } from './registry/challenge.ts'
import {
  type Challenger,
  EMPTY_REGISTRY,
  onlyVersions,
  type Pin,
  pinOf,
  type Registry,
  readRegistry,
  retainedFolders,
  servingFolder,
  withChallengers,
  withChampions,
  writeRegistry,
} from './registry/registry.ts'
import {
  daySums,
  freeName,
  isNamed,
  listTrainings,
  pruneTrainings,
  saveTraining,
  type Training,
} from './registry/trainings.ts'
import { settingsOfKind, type TrainedKind, withinMemory } from './settings/kinds.ts'
import { digestOfSettings, type TrainingSettings } from './settings/training-settings.ts'
import { type ModelBacktest, type TrainedAirport, type TrainOptions, trainSeries, type Untrained } from './train.ts'

export interface TrainAllOptions {
  kind?: TrainedKind
  /** Writes artifacts of these airports only; the net still learns from all. */
  airports?: readonly string[]
  /** Epoch ms; default: when the newest hour became known, so that the same history always gives the same models. */
  cutoff?: number
  now: number
  modelsDir: string
  settings?: TrainingSettings
  /** Name of the training in `holdshort models`; default: its cutoff and the digest of its settings. */
  name?: string
  /** False keeps the models of the training as challengers and leaves the ones that serve as they are. */
  serves?: boolean
  tasks?: NonNullable<TrainOptions['tasks']>
  /** Bytes that the machine has: with few, a training has fewer examples; default: no limit. */
  memory?: number
  onProgress?: (done: number, total: number) => void
}

export interface TrainAllResult {
  rows: ModelBacktest[]
  untrained: Untrained[]
  training: string
  /** Models that do not serve, with the reason. */
  held: Challenger[]
  /** Pins that decide in place of this training, by the subject that each holds. */
  pinned: { subject: string; version: string; pin: Pin }[]
}

/**
 * Trains from the warehouse: writes artifacts to the models folder and lands `backtests` rows of those that serve.
 * @throws UsageError when another training has the name
 */
export async function trainAll(warehouse: Warehouse, options: TrainAllOptions): Promise<TrainAllResult> {
  const { now, modelsDir, kind = 'security' } = options
  const settings = withinMemory(settingsOfKind(kind, options.settings), options.memory ?? Number.POSITIVE_INFINITY)
  const cutoff_ms = options.cutoff ?? (await newestAvailable(warehouse, kind, now)) ?? now
  const earlier = await listTrainings(modelsDir, kind)
  if (earlier.some(({ name }) => name === options.name))
    throw new UsageError(`--name: a ${kind} training is named "${options.name}" already; a training is never replaced`)
  const request: Required<Pick<HistoryRequest, 'kind' | 'cutoff' | 'from'>> = {
    kind,
    cutoff: isoUtc(cutoff_ms),
    from: isoUtc(cutoff_ms - settings.history.days * DAY_MS),
  }
  const isSecurity = kind === 'security'
  const series = await readSeries(warehouse, request)
  const lanes = isSecurity ? await readLaneHistory(warehouse, request) : []
  const { trained, untrained } = await trainSeries(isSecurity ? series : withoutSoleTerminals(series), {
    ...options,
    kind,
    settings,
    cutoff_ms,
    trained_ms: now,
    lanes,
  })
  const isPublished = options.serves ?? true
  const { registry, damage } = await readRegistry(modelsDir).then(
    (read) => ({ registry: read, damage: null }),
    (error: unknown) => ({ registry: EMPTY_REGISTRY, damage: error }),
  )
  const candidate = runOf(trained, { kind, cutoff_ms, now, settings, earlier, name: options.name })
  const training = isPublished ? challenged(candidate, earlier, registry, settings.challenger) : unpublished(candidate)
  const named = namedBy(training)
  const next = withChallengers(withChampions(registry, named.champions), named.challengers)
  for (const { artifact } of trained) await saveArtifact(modelsDir, artifact)
  if (trained.length > 0) await saveTraining(modelsDir, training)
  for (const net of new Set(trained.map(({ artifact }) => artifact.net))) disposeNet(net)
  // With a damaged registry nothing is pruned, because the serving models are unknown.
  if (damage !== null) throw damage
  if (trained.length > 0) {
    await writeRegistry(modelsDir, next)
    await pruneTrainings(modelsDir, earlier)
    await writeRegistry(modelsDir, await pruned(modelsDir, next, training, earlier, now))
  }
  const serving: TrainedAirport[] = []
  const pinned: TrainAllResult['pinned'] = []
  for (const airport of trained) {
    const { card } = airport.artifact
    const subject = subjectName(card)
    const version = versionFolder(card)
    const folder = await servingFolder(modelsDir, next, { kind, subject }, now)
    if (folder !== null && basename(folder) === version) serving.push(airport)
    const pin = pinOf(next, kind, subject)
    if (pin !== null) pinned.push({ subject, version, pin })
  }
  const rows = trained.map(({ row }) => row)
  await warehouse.land(
    backtests,
    serving.map(({ row }) => row),
  )
  await warehouse.land(
    backtestScores,
    serving.flatMap(({ scores }) => scores),
  )
  // Airports without a model of their own have a nowcast as well.
  if (kind === 'security' && isPublished)
    await warehouse.land(
      nowcasts,
      await trainNowcasts(warehouse, { cutoff_ms, trained_ms: now, airports: options.airports }),
    )
  return {
    rows,
    untrained,
    training: training.name,
    held: named.challengers,
    pinned,
  }
}

interface TrainingContext {
  kind: TrainedKind
  cutoff_ms: number
  now: number
  settings: TrainingSettings
  earlier: readonly Training[]
  name: string | undefined
}

function runOf(
  trained: readonly TrainedAirport[],
  { kind, cutoff_ms, now, settings, earlier, name = '' }: TrainingContext,
): Training {
  const settings_digest = digestOfSettings(settings)
  const training: Training = {
    format: 1,
    name,
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
  return name === '' ? { ...training, name: freeName(training, earlier) } : training
}

function namedBy({ kind, name, trained_at, airports }: Training): {
  champions: Registry['champions']
  challengers: Challenger[]
} {
  const named = airports.map(({ subject, version, held }) => ({
    model: { kind, subject, version, run: name, at: trained_at, by: 'training' },
    held,
  }))
  return {
    champions: named.flatMap(({ model, held }) => (held === null ? [model] : [])),
    challengers: named.flatMap(({ model, held }) => (held === null ? [] : [{ ...model, reason: held }])),
  }
}

/** Deletes the models of a training's subjects that neither serve nor may serve again; returns the registry without them. */
async function pruned(
  modelsDir: string,
  registry: Registry,
  training: Training,
  earlier: readonly Training[],
  now: number,
): Promise<Registry> {
  const named = new Set(
    [...earlier, training].filter(isNamed).flatMap(({ airports }) => airports.map(({ version }) => version)),
  )
  let left = registry
  for (const { subject } of training.airports) {
    const retained = await retainedFolders(modelsDir, registry, { kind: training.kind, subject }, { now, named })
    await pruneArtifacts(modelsDir, training.kind, subject, retained)
    left = onlyVersions(
      left,
      { kind: training.kind, subject },
      new Set([...retained].map((folder) => basename(folder))),
    )
  }
  return left
}
