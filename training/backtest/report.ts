import { skill } from '../../forecasting/skill/metrics.ts'
import type { BorderRuleScores } from '../border/border-rules.ts'
import type { Comparison, HistoryMeasure } from './measure.ts'

const HEADER = [
  '| | hours | MAE | rule | same hour | skill | pinball | same hour | skill | coverage 80 % | within 5 min |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
]

/** Renders a backtest as a Markdown table: overall, by horizon, by airport. Minutes; skill is 1 − loss ÷ the same-hour rule's loss. */
export function renderReport(measure: HistoryMeasure): string {
  return [
    ...HEADER,
    tableRow('all airports', measure.overall),
    ...(measure.terminals ? [tableRow('terminals', measure.terminals)] : []),
    ...measure.horizons.map((bucket) => tableRow(`${bucket.from_hours}–${bucket.to_hours} h ahead`, bucket)),
    ...measure.airports.map((airport) => tableRow(airport.iata, airport)),
    '',
    ...(measure.rules ? [ruleText(measure.rules)] : []),
  ].join('\n')
}

function ruleText({ seasonal, hour_of_week, quantiles_28_days }: BorderRuleScores): string {
  return `Other rules on the same hours: same hour of the week before, MAE ${seasonal.mae_minutes.toFixed(2)}; median of the hour of the week, MAE ${hour_of_week.mae_minutes.toFixed(2)}; quantiles of 28 days by kind of day, MAE ${quantiles_28_days.mae_minutes.toFixed(2)}, pinball ${quantiles_28_days.pinball_minutes.toFixed(3)}, coverage ${percent(quantiles_28_days.coverage_80)}.\n`
}

function tableRow(name: string, { served, rule, baseline }: Comparison): string {
  if (served.samples === 0) return `| ${name} | 0 | | | | | | | | | |`
  const cells = [
    served.samples.toString(),
    served.mae_minutes.toFixed(2),
    rule.mae_minutes.toFixed(2),
    baseline.mae_minutes.toFixed(2),
    percent(skill(served.mae_minutes, baseline.mae_minutes)),
    served.pinball_minutes.toFixed(3),
    baseline.pinball_minutes.toFixed(3),
    percent(skill(served.pinball_minutes, baseline.pinball_minutes)),
    percent(served.coverage_80),
    percent(served.within_5),
  ]
  return `| ${name} | ${cells.join(' | ')} |`
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)} %`
}
