import { skill } from '../../forecasting/skill/metrics.ts'
import type { BacktestSummary, Comparison } from './summary.ts'

const HEADER = [
  '| | hours | MAE | rule | same hour | skill | pinball | same hour | skill | coverage 80 % | within 5 min |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
]

/** Renders a backtest as a Markdown table: overall, by horizon, by airport. Minutes; skill is 1 − loss ÷ the same-hour rule's loss. */
export function renderReport(summary: BacktestSummary): string {
  const terminals = summary.terminals ? [tableRow('terminals', summary.terminals)] : []
  return [
    ...HEADER,
    tableRow('all airports', summary.overall),
    ...terminals,
    ...summary.horizons.map((bucket) => tableRow(`${bucket.from_hours}–${bucket.to_hours} h ahead`, bucket)),
    ...summary.airports.map((airport) => tableRow(airport.iata, airport)),
    '',
  ].join('\n')
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
