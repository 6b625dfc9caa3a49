import type { FeatureRows } from '../features/features.ts'
import { emptyQuantiles, type Quantiles } from '../scoring/quantiles.ts'
import { predictNet, type QuantileNet } from './quantile-net.ts'

/**
 * The forecasters that an airport can be served by, the richest first. `model`: the nets and the rule together. `rule`: climatologies,
 * moved by the last weeks. `baseline`: quantiles of the same clock hour in the trailing 28 days, which every forecast is compared with.
 */
export const CONTENDERS = ['model', 'rule', 'baseline'] as const
export type Contender = (typeof CONTENDERS)[number]

/**
 * Quantiles of each contender before calibration, minutes. `rule_share` is the share of the rule in the model's forecast: the errors
 * of the two differ.
 */
export function contenderQuantiles(
  nets: readonly QuantileNet[],
  rows: FeatureRows,
  rule_share: number,
): Record<Contender, Quantiles> {
  const rule = ruleQuantiles(rows)
  const { same_hour_p10: p10, same_hour_p50: p50, same_hour_p90: p90 } = rows
  return {
    model: mixed(
      nets.map((net) => predictNet(net, rows)),
      rule,
      rule_share,
    ),
    rule,
    baseline: { p10, p50, p90 },
  }
}

/** The rule with the spread of the climatologies around it. */
function ruleQuantiles({ rows, rule, p10, p50, p90 }: FeatureRows): Quantiles {
  const quantiles = emptyQuantiles(rows)
  for (let row = 0; row < rows; row++) {
    quantiles.p10[row] = Math.max(0, rule[row]! - (p50[row]! - p10[row]!))
    quantiles.p50[row] = rule[row]!
    quantiles.p90[row] = rule[row]! + (p90[row]! - p50[row]!)
  }
  return quantiles
}

/** The mean of the nets, mixed with the rule; the rule alone without any net. */
function mixed(nets: readonly Quantiles[], rule: Quantiles, rule_share: number): Quantiles {
  if (nets.length === 0) return rule
  const quantiles = emptyQuantiles(rule.p50.length)
  for (const name of ['p10', 'p50', 'p90'] as const)
    for (let row = 0; row < rule.p50.length; row++) {
      const mean = nets.reduce((sum, net) => sum + net[name][row]!, 0) / nets.length
      quantiles[name][row] = (1 - rule_share) * mean + rule_share * rule[name][row]!
    }
  return quantiles
}
