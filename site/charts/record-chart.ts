import { type Chart, WIDTH } from './chart.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

/** How far forecasts were off, by hours ahead. */
export interface RecordRow {
  horizon: string
  /** Mean absolute error of what was published; null while nothing has come true. */
  live_mae_minutes: number | null
  /** The same in the backtest of the model. */
  backtest_mae_minutes: number | null
  /** The simple rule on the same hours. */
  rule_mae_minutes: number | null
}

export interface RecordData {
  place: string
  rows: readonly RecordRow[]
}

const ROW_HEIGHT = 36
const tenth = (minutes: number) => minutes.toFixed(1)

/** How far the forecasts of an airport were off by hours ahead, beside the simple rule. Further left is better. */
export function recordChart({ Plot, draw }: Toolkit, data: RecordData): Chart {
  const { rows } = data
  const shown = rows.map((row) => ({ ...row, error: row.live_mae_minutes ?? row.backtest_mae_minutes }))
  const compared = shown.filter(({ error, rule_mae_minutes }) => error !== null && rule_mae_minutes !== null)
  const isLive = rows.some(({ live_mae_minutes }) => live_mae_minutes !== null)
  const highest = Math.max(2, ...shown.flatMap(({ error, rule_mae_minutes }) => [error ?? 0, rule_mae_minutes ?? 0]))
  return draw({
    title: `How far forecasts of ${data.place} were off`,
    description: recordWords(data),
    legend: [
      { mark: 'dot', colour: 'line', text: isLive ? 'forecast' : 'forecast, tried on the past' },
      { mark: 'ring', colour: 'past-line', text: 'simple rule' },
    ],
    options: {
      width: WIDTH,
      height: rows.length * ROW_HEIGHT + 64,
      ...margins(4, 12, 60, 130),
      x: { type: 'linear', domain: [0, highest * 1.15], axis: null },
      y: { type: 'band', domain: rows.map(({ horizon }) => horizon), axis: null },
      marks: [
        Plot.gridX({ ticks: 5, stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.ruleY(compared, { y: 'horizon', x1: 'error', x2: 'rule_mae_minutes', stroke: colour('past-line') }),
        Plot.dot(
          shown.filter(({ rule_mae_minutes }) => rule_mae_minutes !== null),
          {
            y: 'horizon',
            x: 'rule_mae_minutes',
            r: 5,
            fill: colour('surface'),
            stroke: colour('past-line'),
            strokeWidth: 2,
          },
        ),
        Plot.dot(
          shown.filter(({ error }) => error !== null),
          { y: 'horizon', x: 'error', r: 6, fill: colour('line') },
        ),
        Plot.axisY({ tickSize: 0, label: null, fill: colour('ink') }),
        Plot.axisX({ anchor: 'bottom', ticks: 5, tickSize: 0, label: null, ...TEXT }),
        Plot.text(['minutes off on average'], { frameAnchor: 'bottom', dy: 50, ...TEXT }),
        Plot.ruleX([0], { stroke: colour('quiet') }),
      ],
    },
  })
}

function recordWords({ place, rows }: RecordData): string {
  const parts = rows.flatMap(({ horizon, live_mae_minutes, backtest_mae_minutes, rule_mae_minutes }) => {
    const error = live_mae_minutes ?? backtest_mae_minutes
    if (error === null) return []
    const where = live_mae_minutes === null ? ', tried on the past' : ''
    const rule = rule_mae_minutes === null ? '' : `, the simple rule ${tenth(rule_mae_minutes)}`
    return [`${horizon} ahead ${tenth(error)} min${where}${rule}`]
  })
  if (parts.length === 0) return `No forecast of ${place} has come true yet.`
  return `Forecasts of ${place} were off on average by: ${parts.join('; ')}.`
}
