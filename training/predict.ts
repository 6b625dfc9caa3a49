import { mapKeys } from '../config/map-keys.ts'
import { localClock } from '../config/time-zones/local-time.ts'
import { DAY_MS, isoUtc } from '../config/vocabulary.ts'
import { featureRows, horizonHours, joinRows } from '../forecasting/features/features.ts'
import type { HourlySeries } from '../forecasting/features/hourly-series.ts'
import {
  LOOKBACK_DAYS,
  type PreparedSeries,
  type Profile,
  prepareSeries,
  profileAt,
} from '../forecasting/features/profile.ts'
import { applyCalibration, SERVED_COLUMNS } from '../forecasting/quantiles/calibration.ts'
import { QUANTILE_NAMES } from '../forecasting/quantiles/quantiles.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { type Backtest, backtests, type Forecast, forecasts } from '../warehouse/tables/forecasts.ts'
import { type Artifact, loadArtifact, trainedSubjects } from './artifacts/artifact.ts'
import { servedVersion } from './artifacts/artifact-card.ts'
import { borderRows } from './border/border-forecast.ts'
import { readSeries, soleTerminal } from './border/border-history.ts'
import { type Contender, contenderQuantiles } from './forecasters/contenders.ts'
import { bySubject } from './history/hourly-series.ts'
import { disposeNet } from './models/quantile-net.ts'
import { withOutside } from './outside/contest.ts'
import { adaptedForecasts, handedOver, modelShare } from './prior/adapted-forecast.ts'
import { airportsOnFallback } from './record/drift.ts'
import { hundredths, withOpponents } from './record/with-opponents.ts'
import { ALL_SUBJECTS, EMPTY_REGISTRY, readRegistry, servingOf } from './registry/registry.ts'
import type { TrainedKind } from './settings/kinds.ts'

/** An hour in which fewer days than this had an observation is not forecast, where a queue is only published while it is used. */
const MIN_DAYS_OF_HOUR = 3
/** A terminal is forecast when at least this fraction of the hours of the last 28 days was observed. */
const MIN_TERMINAL_DENSITY = 0.1

/**
 * Forecasts one airport and its terminals, HORIZON_HOURS from the current hour, from what was available at `issued_ms`:
 * p10 ≤ p50 ≤ p90, finite, none below zero. No rows when nothing of the last 28 days is known. With `fallsBack` the rule
 * is published in place of the model; `pinned` is published whatever the artifact chose.
 */
export function predictAirport(
  artifact: Artifact,
  series: readonly HourlySeries[],
  issued_ms: number,
  fallsBack = false,
  pinned: Contender | null = null,
): Forecast[] {
  const { card, net } = artifact
  const valid_ms = horizonHours(issued_ms)
  const described = series.flatMap((queueSeries) => {
    const own = card.calibration.find(({ terminal }) => terminal === queueSeries.terminal)
    if (!own) return []
    const prepared = prepareSeries(queueSeries)
    const profile = profileAt(prepared, issued_ms)
    if (!profile || (queueSeries.terminal !== '' && profile.density < MIN_TERMINAL_DENSITY)) return []
    const samples = card.kind === 'security' ? null : daysOfHours(prepared, profile, valid_ms)
    return [{ own, rows: featureRows(prepared, profile, valid_ms), samples }]
  })
  const joined = joinRows(described.map(({ rows }) => rows))
  const contenders = contenderQuantiles({ net, share: card.net_share }, joined)
  const forecasts = described.flatMap(({ own, rows, samples }, k) => {
    const { terminal, tables } = own
    const isFallback = fallsBack && own.served === 'model'
    const served = pinned ?? (isFallback ? 'rule' : own.served)
    const table = tables[served]
    const slice = (column: Float64Array) => column.subarray(k * valid_ms.length, (k + 1) * valid_ms.length)
    const quantilesOf = (contender: Contender) => {
      return mapKeys(QUANTILE_NAMES, (name) => slice(contenders[contender][name]))
    }
    const quantiles = quantilesOf(served)
    const calibrated = applyCalibration(quantiles, rows, table)
    const baseline = applyCalibration(quantilesOf('baseline'), rows, tables.baseline)
    const medians = { model: quantilesOf('model').p50, rule: quantilesOf('rule').p50 }
    return Array.from(valid_ms, (hour, row) => ({
      kind: card.kind,
      iata: card.iata,
      terminal,
      direction: card.direction ?? null,
      issued_at: isoUtc(issued_ms),
      valid_at: isoUtc(hour),
      ...mapKeys(SERVED_COLUMNS, (name) => calibrated[name][row]!),
      samples: samples?.[row] ?? null,
      baseline_p10: hundredths(baseline.p10[row]!),
      baseline_p50: hundredths(baseline.p50[row]!),
      baseline_p90: hundredths(baseline.p90[row]!),
      model_p50: hundredths(medians.model[row]!),
      rule_p50: hundredths(medians.rule[row]!),
      basis: 'predicted' as const,
      model: servedVersion({ served, version: card.version }),
    }))
  })
  return card.kind === 'security' ? forecasts : withSoleTerminal(forecasts.filter(isUsedHour), series)
}

/** A border queue has figures only in hours with passengers: other hours are not forecast, as nobody waits in them. */
const isUsedHour = ({ samples }: Forecast) => samples !== null && samples >= MIN_DAYS_OF_HOUR

/** The forecasts, and those of an airport's only terminal, which are the same. */
function withSoleTerminal(forecasts: Forecast[], series: readonly HourlySeries[]): Forecast[] {
  const terminal = soleTerminal(series)
  if (terminal === null) return forecasts
  return [...forecasts, ...forecasts.map((forecast) => ({ ...forecast, terminal }))]
}

/** The number of the last 28 days on which the local hour of each forecast hour was observed. */
function daysOfHours({ timezone }: PreparedSeries, { same_hour }: Profile, valid_ms: Float64Array): number[] {
  return Array.from(localClock(timezone, valid_ms).hour, (hour) => same_hour.count[hour]!)
}

export interface PredictOptions {
  /** Instant of issue, epoch ms. */
  now: number
  modelsDir: string
  onProgress?: (done: number, total: number) => void
  /** Called for each airport whose artifact cannot be used; the other airports are forecast all the same. */
  onFailure?: (iata: string, error: unknown) => void
}

/**
 * Makes all forecasts of the current hour: security and immigration waits of queues with own readings. Lands them in
 * `forecasts`, and the backtests of what has no artifact in `backtests`; returns how many forecast rows were new.
 */
export async function predictAll(warehouse: Warehouse, options: PredictOptions): Promise<number> {
  const security = await predictSecurity(warehouse, options)
  const immigration = await predictImmigration(warehouse, options)
  await warehouse.land(backtests, [...security.backtests, ...immigration.backtests])
  return warehouse.land(forecasts, [...security.forecasts, ...immigration.forecasts])
}

interface KindForecasts {
  forecasts: Forecast[]
  /** Records of queues without a trained model. */
  backtests: Backtest[]
}

/** Security forecasts of every airport with own readings: by its artifact, else by the prior that its readings have adapted. */
async function predictSecurity(warehouse: Warehouse, options: PredictOptions): Promise<KindForecasts> {
  const { now } = options
  const security: KindForecasts = { forecasts: [], backtests: [] }
  for (const { group, own } of await forecastsOfArtifacts(warehouse, 'security', options)) {
    const share = own.length === 0 ? 0 : modelShare(group[0]!, now)
    const adapted = share < 1 ? adaptedForecasts(group, now) : { forecasts: [], backtest: null }
    const forecasts = own.length === 0 ? adapted.forecasts : handedOver(own, adapted.forecasts, share)
    security.forecasts.push(...withOpponents(forecasts, group, now))
    if (own.length === 0 && adapted.backtest) security.backtests.push(adapted.backtest)
  }
  return { ...security, forecasts: await withOutside(warehouse, security.forecasts, now) }
}

/** Immigration forecasts: by the artifact of the queue, else by the rule of short histories. */
async function predictImmigration(warehouse: Warehouse, options: PredictOptions): Promise<KindForecasts> {
  const immigration: KindForecasts = { forecasts: [], backtests: [] }
  for (const { group, own } of await forecastsOfArtifacts(warehouse, 'immigration', options)) {
    const rules = own.length > 0 ? [] : group.map((series) => borderRows(series, options.now))
    const forecasts = own.length > 0 ? own : rules.flatMap((rows) => rows.forecasts)
    immigration.forecasts.push(...withOpponents(forecasts, group, options.now))
    immigration.backtests.push(...rules.flatMap(({ backtest }) => backtest ?? []))
  }
  return immigration
}

/** The series of a subject, and what its artifact forecasts: nothing without one. */
interface SubjectForecasts {
  group: HourlySeries[]
  own: Forecast[]
}

/** Forecasts by artifacts of everything of a kind that has a recent history. */
async function forecastsOfArtifacts(
  warehouse: Warehouse,
  kind: TrainedKind,
  options: PredictOptions,
): Promise<SubjectForecasts[]> {
  const { now, modelsDir } = options
  const history = await readSeries(warehouse, {
    kind,
    cutoff: isoUtc(now),
    from: isoUtc(now - LOOKBACK_DAYS * DAY_MS),
  })
  const groups = [...bySubject(history)]
  const trained = new Set(await trainedSubjects(modelsDir, kind))
  const fallingBack = kind === 'security' ? await airportsOnFallback(warehouse, now) : new Set<string>()
  // Without the registry the newest models serve: its damage must not stop the forecasts, and with them the publishing.
  const registry = await readRegistry(modelsDir).catch((error) => {
    options.onFailure?.(ALL_SUBJECTS, error)
    return EMPTY_REGISTRY
  })
  const found: SubjectForecasts[] = []
  for (const [k, [subject, group]] of groups.entries()) {
    let own: Forecast[] = []
    // An artifact that cannot be used leaves its place to the one before.
    const serving = trained.has(subject) ? await servingOf(modelsDir, registry, { kind, subject }, now) : null
    for (const folder of serving?.folders ?? []) {
      try {
        own = await predictWith(folder, group, now, {
          fallsBack: fallingBack.has(subject),
          pinned: serving?.contender ?? null,
        })
        break
      } catch (error) {
        options.onFailure?.(subject, error)
      }
    }
    found.push({ group, own })
    options.onProgress?.(k + 1, groups.length)
  }
  return found
}

async function predictWith(
  artifactFolder: string,
  group: readonly HourlySeries[],
  now: number,
  { fallsBack, pinned }: { fallsBack: boolean; pinned: Contender | null },
): Promise<Forecast[]> {
  const artifact = await loadArtifact(artifactFolder)
  try {
    return predictAirport(artifact, group, now, fallsBack, pinned)
  } finally {
    disposeNet(artifact.net)
  }
}
