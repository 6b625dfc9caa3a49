import type { Skill } from '../../forecasting/skill/skill.ts'
import type { Chart } from './chart.ts'
import { legendOfRecords, type RecordKind, recordPoint, recordRows, rowsOfRecords } from './marks.ts'
import type { Toolkit } from './toolkit.ts'

/** The skill in one bucket of hours ahead. */
export interface SkillPoint {
  horizon: string
  live: Skill | null
  backtest: Skill | null
}

export interface SkillData {
  points: readonly SkillPoint[]
}

/** Live and backtest of a row stand beside each other by this many pixels. */
const OFFSET = 8
const percent = (share: number) => `${share > 0 ? '+' : ''}${Math.round(100 * share)} %`.replace('-', '−')

/** Skill against the baseline by hours ahead, with 95 % intervals: right of the line at 0 is better than the baseline. */
export function skillChart({ Plot, draw }: Toolkit, data: SkillData): Chart {
  const { points } = data
  const { live, backtest } = rowsOfRecords(points, ({ horizon, ...byKind }, kind) =>
    byKind[kind] === null ? null : { horizon, ...byKind[kind] },
  )
  const ends = [...live, ...backtest].flatMap(({ skill, low, high }) => [skill, low ?? skill, high ?? skill])
  const most = Math.max(0.1, Math.ceil(Math.max(...ends, 0) * 10) / 10)
  const least = Math.min(-0.1, Math.floor(Math.min(...ends, 0) * 10) / 10)
  const marksOf = (rows: typeof live, dy: number, kind: RecordKind) => [
    Plot.ruleY(
      rows.filter(({ low, high }) => low !== null && high !== null),
      { y: 'horizon', x1: 'low', x2: 'high', dy, stroke: recordPoint(kind).stroke, strokeWidth: 2 },
    ),
    Plot.dot(rows, { y: 'horizon', x: 'skill', dy, ...recordPoint(kind) }),
  ]
  return draw({
    title: 'Better than the simple rule by, at each distance',
    description: skillWords(data),
    legend: legendOfRecords({ live, backtest }),
    options: recordRows(Plot, {
      names: points.map(({ horizon }) => horizon),
      domain: [least, most],
      line: 0,
      tickFormat: percent,
      axis: 'error below the baseline’s',
      marks: [...marksOf(backtest, OFFSET, 'backtest'), ...marksOf(live, -OFFSET, 'live')],
    }),
  })
}

function skillWords({ points }: SkillData): string {
  const parts = points.flatMap(({ horizon, live, backtest }) => {
    const shown = live ?? backtest
    if (!shown) return []
    const range = shown.low === null || shown.high === null ? '' : ` (${percent(shown.low)} to ${percent(shown.high)})`
    return [`${horizon} ahead ${percent(shown.skill)}${range}${live ? '' : ', tried on the past'}`]
  })
  if (parts.length === 0) return 'No comparison with the simple rule is known yet.'
  return `Error below that of the baseline, with 95 % intervals: ${parts.join('; ')}.`
}
