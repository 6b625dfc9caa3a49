import type { Chart } from './chart.ts'
import { legendOfRecords, recordPoint, recordRows, rowsOfRecords } from './marks.ts'
import type { Toolkit } from './toolkit.ts'

/** The share of hours inside the interval that was meant to hold eight of ten. */
export interface CoveragePoint {
  horizon: string
  live: number | null
  backtest: number | null
}

export interface CoverageData {
  points: readonly CoveragePoint[]
}

const MEANT = 0.8
const percent = (share: number) => `${Math.round(100 * share)} %`

/** Coverage of the 80 % interval by hours ahead: on the line it held as many hours as it claimed. */
export function coverageChart({ Plot, draw }: Toolkit, data: CoverageData): Chart {
  const { points } = data
  const { live, backtest } = rowsOfRecords(points, ({ horizon, ...byKind }, kind) =>
    byKind[kind] === null ? null : { horizon, share: byKind[kind] },
  )
  const shares = [...live, ...backtest].map(({ share }) => Math.floor(share * 10) / 10)
  const least = Math.min(0.6, ...shares)
  return draw({
    title: 'Hours inside the 80 % interval',
    description: coverageWords(data),
    legend: legendOfRecords({ live, backtest }),
    options: recordRows(Plot, {
      names: points.map(({ horizon }) => horizon),
      domain: [least, 1],
      line: MEANT,
      tickFormat: percent,
      axis: 'hours inside; 80 % is right',
      marks: [
        Plot.dot(backtest, { y: 'horizon', x: 'share', ...recordPoint('backtest') }),
        Plot.dot(live, { y: 'horizon', x: 'share', ...recordPoint('live') }),
      ],
    }),
  })
}

function coverageWords({ points }: CoverageData): string {
  const parts = points.flatMap(({ horizon, live, backtest }) => {
    const share = live ?? backtest
    return share === null ? [] : [`${horizon} ahead ${percent(share)}${live === null ? ', tried on the past' : ''}`]
  })
  if (parts.length === 0) return 'No hour that was forecast has come true yet.'
  return `Hours inside the interval that should hold 80 %: ${parts.join('; ')}.`
}
