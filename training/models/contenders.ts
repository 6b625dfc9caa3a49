import type { FeatureRows } from '../../forecasting/features/features.ts'
import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { clamp } from '../../forecasting/statistics/statistics.ts'
import type { NetShareSettings, RunSettings } from '../settings/run-settings.ts'
import { predictNet, type QuantileNet } from './quantile-net.ts'

/**
 * The forecasters that an airport can be served by, the richest first. `model`: the nets and the rule together. `rule`: the process of
 * the airport's hours, with the spread of a climatology. `baseline`: quantiles of the same clock hour in the trailing 28 days, which every forecast is compared with.
 */
export const CONTENDERS = ['model', 'rule', 'baseline'] as const
export type Contender = (typeof CONTENDERS)[number]

/** Whether a contender's loss is so much lower than the model's that it serves in its place, on enough observed hours. */
export const servesInPlace = (
  loss: number,
  ofModel: number,
  hours: number,
  { margin, min_hours }: RunSettings['choice'],
): boolean => hours >= min_hours && loss < (1 - margin) * ofModel

/** A fitted net and its share in the model's forecast, 0 to 1; the rest is the rule's. */
export interface WeightedNet {
  net: QuantileNet
  share: number
}

/** The share of a net by the days of origins that it learned from. */
export function netShareOf(days: number, { most, from_days, full_days }: NetShareSettings): number {
  return most * clamp((days - from_days) / (full_days - from_days), 0, 1)
}

/** Quantiles of each contender before calibration, minutes. */
export function contenderQuantiles({ net, share }: WeightedNet, rows: FeatureRows): Record<Contender, Quantiles> {
  // The spread of the climatologies may reach below no wait.
  const rule = { p10: rows.p10.map((minutes) => Math.max(0, minutes)), p50: rows.p50, p90: rows.p90 }
  const { same_hour_p10: p10, same_hour_p50: p50, same_hour_p90: p90 } = rows
  return {
    model: onStep(share === 0 ? rule : mixed(predictNet(net, rows), share, rule), rows),
    rule: onStep(rule, rows),
    baseline: { p10, p50, p90 },
  }
}

/**
 * Where the waits are whole minutes, so is their median: a median between two values is never the nearest. The bounds stay in
 * order around it.
 */
function onStep({ p10, p50, p90 }: Quantiles, { step }: FeatureRows): Quantiles {
  const middle = p50.map((minutes, row) => (step[row]! > 0 ? step[row]! * Math.round(minutes / step[row]!) : minutes))
  return {
    p10: p10.map((minutes, row) => Math.min(minutes, middle[row]!)),
    p50: middle,
    p90: p90.map((minutes, row) => Math.max(minutes, middle[row]!)),
  }
}

function mixed(net: Quantiles, share: number, rule: Quantiles): Quantiles {
  const quantiles = emptyQuantiles(rule.p50.length)
  for (const name of ['p10', 'p50', 'p90'] as const)
    for (let row = 0; row < rule.p50.length; row++)
      quantiles[name][row] = share * net[name][row]! + (1 - share) * rule[name][row]!
  return quantiles
}
