import { skill } from '../scoring/metrics.ts'
import type { Comparison, HistoryMeasure } from './measure.ts'

const HEADER = [
  '| | hours | MAE | baseline MAE | skill | pinball | baseline | skill | coverage 80 % | within 5 min |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
]

/** Renders a backtest as a Markdown table: overall, by horizon, by airport. Minutes; skill is 1 − loss ÷ baseline's loss. */
export function renderReport(measure: HistoryMeasure): string {
  return [
    ...HEADER,
    tableRow('all', measure.overall),
    ...measure.horizons.map((bucket) => tableRow(`${bucket.from_hours}–${bucket.to_hours} h ahead`, bucket)),
    ...measure.airports.map((airport) => tableRow(airport.iata, airport)),
    '',
  ].join('\n')
}

function tableRow(name: string, { model, baseline }: Comparison): string {
  if (model.samples === 0) return `| ${name} | 0 | | | | | | | | |`
  const cells = [
    model.samples.toString(),
    model.mae_minutes.toFixed(2),
    baseline.mae_minutes.toFixed(2),
    percent(skill(model.mae_minutes, baseline.mae_minutes)),
    model.pinball_minutes.toFixed(3),
    baseline.pinball_minutes.toFixed(3),
    percent(skill(model.pinball_minutes, baseline.pinball_minutes)),
    percent(model.coverage_80),
    percent(model.within_5),
  ]
  return `| ${name} | ${cells.join(' | ')} |`
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)} %`
}
