import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { predictNet } from '../models/quantile-net.ts'
import { defineForecaster, onStep } from './forecaster.ts'
import { ruleQuantiles } from './rule.ts'

/** The nets and the rule together. */
export const model = defineForecaster({
  name: 'model',
  predict: (rows, { net, share }) => {
    const rule = ruleQuantiles(rows)
    return onStep(share === 0 ? rule : mixed(predictNet(net, rows), share, rule), rows)
  },
})

/** The part of the share of the nets that they have in the median: it is the process that knows it best, the nets know the bounds. */
export const MEDIAN_PART = 0.5

function mixed(net: Quantiles, share: number, rule: Quantiles): Quantiles {
  const quantiles = emptyQuantiles(rule.p50.length)
  for (const name of ['p10', 'p50', 'p90'] as const) {
    const netShare = name === 'p50' ? MEDIAN_PART * share : share
    for (let row = 0; row < rule.p50.length; row++)
      quantiles[name][row] = netShare * net[name][row]! + (1 - netShare) * rule[name][row]!
  }
  return quantiles
}
