import { airportDirectory } from '../config/airports/directory.ts'
import { DAY_MS, isoUtc } from '../config/domain.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'
import { type Backtest, backtests, type Forecast, forecasts } from '../warehouse/tables/forecasts.ts'
import { type Artifact, listArtifacts, loadArtifact, trainedAirports } from './artifacts/artifact.ts'
import { servedVersion } from './artifacts/artifact-card.ts'
import { BACKTEST_DAYS, type BorderRows, borderRows, TRAILING_DAYS } from './border/border-forecast.ts'
import { readBorderHistory } from './border/border-history.ts'
import { featureRows, horizonHours, joinRows } from './features/features.ts'
import { LOOKBACK_DAYS, prepareSeries, profileAt } from './features/profile.ts'
import { byAirport, type HourlySeries, readHistory } from './history/hourly-series.ts'
import { type Contender, contenderQuantiles } from './models/contenders.ts'
import { disposeNet } from './models/quantile-net.ts'
import { adaptedForecasts, handedOver, modelShare } from './prior/adapted-forecast.ts'
import { airportsOnFallback } from './record/drift.ts'
import { applyCalibration } from './scoring/calibration.ts'

/** A terminal is forecast when at least this fraction of the hours of the last 28 days was observed. */
const MIN_TERMINAL_DENSITY = 0.1

/**
 * Forecasts one airport and its terminals, HORIZON_HOURS from the current hour, from what was available at `issued_ms`:
 * p10 ≤ p50 ≤ p90, finite, none below zero. No rows when nothing of the last 28 days is known. With `fallsBack` the rule
 * is published in place of the model.
 */
export function predictAirport(
  artifact: Artifact,
  series: readonly HourlySeries[],
  issued_ms: number,
  fallsBack = false,
): Forecast[] {
  const { card, net } = artifact
  const valid_ms = horizonHours(issued_ms)
  const described = series.flatMap((each) => {
    const prepared = prepareSeries(each)
    const profile = profileAt(prepared, issued_ms)
    const own = card.calibration.find(({ terminal }) => terminal === each.terminal)
    if (!profile || !own || (each.terminal !== '' && profile.density < MIN_TERMINAL_DENSITY)) return []
    return [{ own, rows: featureRows(prepared, profile, valid_ms) }]
  })
  const joined = joinRows(described.map(({ rows }) => rows))
  const contenders = contenderQuantiles({ net, share: card.net_share }, joined)
  return described.flatMap(({ own, rows }, k) => {
    const { terminal, tables } = own
    const isFallback = fallsBack && own.served === 'model'
    const served = isFallback ? 'rule' : own.served
    const table = (isFallback ? tables?.rule : null) ?? own.table
    const slice = (column: Float64Array) => column.subarray(k * valid_ms.length, (k + 1) * valid_ms.length)
    const quantilesOf = (contender: Contender) => {
      const raw = contenders[contender]
      return { p10: slice(raw.p10), p50: slice(raw.p50), p90: slice(raw.p90) }
    }
    const quantiles = quantilesOf(served)
    const { p10, p50, p90, p_within_5 } = applyCalibration(quantiles, rows.horizon, table)
    const baseline = applyCalibration(quantilesOf('baseline'), rows.horizon, tables?.baseline ?? table)
    const medians = { model: quantilesOf('model').p50, rule: quantilesOf('rule').p50 }
    return Array.from(valid_ms, (hour, row) => ({
      kind: card.kind,
      iata: card.iata,
      terminal,
      direction: null,
      issued_at: isoUtc(issued_ms),
      valid_at: isoUtc(hour),
      p10: p10[row]!,
      p50: p50[row]!,
      p90: p90[row]!,
      p_within_5: p_within_5[row]!,
      samples: null,
      baseline_p10: hundredths(baseline.p10[row]!),
      baseline_p50: hundredths(baseline.p50[row]!),
      baseline_p90: hundredths(baseline.p90[row]!),
      model_p50: hundredths(medians.model[row]!),
      rule_p50: hundredths(medians.rule[row]!),
      basis: 'predicted' as const,
      model: servedVersion({ served, version: card.version }),
    }))
  })
}

/** Medians that are compared afterwards are stored to the hundredth of a minute, which takes a fifth of the space. */
const hundredths = (minutes: number) => Math.round(minutes * 100) / 100

export interface PredictOptions {
  /** Instant of issue, epoch ms. */
  now: number
  modelsDir: string
  onProgress?: (done: number, total: number) => void
  /** Called for each airport whose artifact cannot be used; the other airports are forecast all the same. */
  onFailure?: (iata: string, error: unknown) => void
}

/**
 * Makes all forecasts of the current hour: security waits of airports with own readings, and border waits. Lands them in
 * `forecasts`, and the backtests of what has no artifact in `backtests`; returns how many forecast rows were new.
 */
export async function predictAll(warehouse: Warehouse, options: PredictOptions): Promise<number> {
  const security = await predictSecurity(warehouse, options)
  const border = await predictBorder(warehouse, options.now)
  const borderBacktests = border.flatMap(({ backtest }) => backtest ?? [])
  await warehouse.land(backtests, [...security.backtests, ...borderBacktests])
  return warehouse.land(forecasts, [...security.forecasts, ...border.flatMap((direction) => direction.forecasts)])
}

interface SecurityForecasts {
  forecasts: Forecast[]
  /** Records of airports without a trained model. */
  backtests: Backtest[]
}

/** Security forecasts of every airport with own readings: by its artifact, else by the prior that its readings have adapted. */
async function predictSecurity(warehouse: Warehouse, options: PredictOptions): Promise<SecurityForecasts> {
  const { now, modelsDir } = options
  const kind = 'security'
  const history = await readHistory(warehouse, {
    kind,
    cutoff: isoUtc(now),
    from: isoUtc(now - LOOKBACK_DAYS * DAY_MS),
  })
  const groups = byAirport(history)
  const trained = new Set(await trainedAirports(modelsDir, kind))
  const fallingBack = await airportsOnFallback(warehouse, now)
  const security: SecurityForecasts = { forecasts: [], backtests: [] }
  for (const [k, [iata, group]] of [...groups].entries()) {
    let own: Forecast[] = []
    // An artifact that cannot be used leaves its place to the one before.
    for (const folder of trained.has(iata) ? (await listArtifacts(modelsDir, kind, iata)).toReversed() : []) {
      try {
        own = await predictWith(folder, group, now, fallingBack.has(iata))
        break
      } catch (error) {
        options.onFailure?.(iata, error)
      }
    }
    const share = own.length === 0 ? 0 : modelShare(group[0]!, now)
    if (share < 1) {
      const adapted = adaptedForecasts(group, now)
      security.forecasts.push(...(own.length === 0 ? adapted.forecasts : handedOver(own, adapted.forecasts, share)))
      if (own.length === 0 && adapted.backtest) security.backtests.push(adapted.backtest)
    } else security.forecasts.push(...own)
    options.onProgress?.(k + 1, groups.size)
  }
  return security
}

async function predictWith(
  artifactFolder: string,
  group: readonly HourlySeries[],
  now: number,
  fallsBack: boolean,
): Promise<Forecast[]> {
  const artifact = await loadArtifact(artifactFolder)
  try {
    return predictAirport(artifact, group, now, fallsBack)
  } finally {
    disposeNet(artifact.net)
  }
}

/** Border forecasts need no fit: each is taken from the hours known when the current hour began. */
async function predictBorder(warehouse: Warehouse, now: number): Promise<BorderRows[]> {
  const history = await readBorderHistory(warehouse, airportDirectory().all, {
    from_ms: now - (TRAILING_DAYS + BACKTEST_DAYS + 1) * DAY_MS,
    cutoff_ms: now,
  })
  return history.map((series) => borderRows(series, now))
}
