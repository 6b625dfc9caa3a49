import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import type { Chart } from './chart.ts'
import { legendOfRecords } from './marks.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

/** How often a claimed probability came true. */
type ReliabilityPoint = Accuracy['reliability'][number]

export interface ReliabilityData {
  live: readonly ReliabilityPoint[]
  backtest: readonly ReliabilityPoint[]
}

const SHARES = [0, 0.25, 0.5, 0.75, 1]
/** The share of the height that the histogram of issued forecasts may take, below the diagram. */
const HISTOGRAM = 0.22
const percentAxis = { tickSize: 0, label: null, tickFormat: (share: number) => `${Math.round(share * 100)}` }

/** The reliability diagram: on the diagonal a probability came true as often as claimed. Below it, how many were issued of each. */
export function reliabilityChart({ Plot, draw }: Toolkit, data: ReliabilityData): Chart {
  const { live, backtest } = data
  const issued = live.length > 0 ? live : backtest
  const most = Math.max(1, ...issued.map(({ samples }) => samples))
  const line = { x: 'confidence', y: 'observed', curve: 'linear' as const }
  return draw({
    title: 'Probability claimed and how often it came true',
    description: reliabilityWords(data),
    legend: [
      ...legendOfRecords(data, { mark: 'dashed', colour: 'past-line', text: 'tried on the past' }),
      { mark: 'band', colour: 'band', text: 'number of forecasts' },
    ],
    options: {
      width: 360,
      height: 380,
      ...margins(8, 12, 40, 38),
      x: { type: 'linear', domain: [0, 1], axis: null },
      y: { domain: [-HISTOGRAM, 1], axis: null },
      marks: [
        Plot.gridX(SHARES, { stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.gridY(SHARES, { stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.rect(issued, {
          x1: ({ confidence }: ReliabilityPoint) => Math.max(0, confidence - 0.035),
          x2: ({ confidence }: ReliabilityPoint) => Math.min(1, confidence + 0.035),
          y1: -HISTOGRAM,
          y2: ({ samples }: ReliabilityPoint) => -HISTOGRAM + (samples / most) * (HISTOGRAM - 0.03),
          fill: colour('band'),
        }),
        Plot.line(
          [
            [0, 0],
            [1, 1],
          ],
          { stroke: colour('quiet'), strokeDasharray: '2 3' },
        ),
        Plot.line(backtest, { ...line, stroke: colour('past-line'), strokeWidth: 1.5, strokeDasharray: '4 3' }),
        Plot.dot(backtest, { ...line, r: 3.5, fill: colour('surface'), stroke: colour('past-line'), strokeWidth: 1.5 }),
        Plot.line(live, { ...line, stroke: colour('observed'), strokeWidth: 2 }),
        Plot.dot(live, { ...line, r: 4.5, fill: colour('observed') }),
        Plot.axisY(SHARES, { ...percentAxis, ...TEXT }),
        Plot.axisX(SHARES, { anchor: 'bottom', ...percentAxis, ...TEXT }),
        Plot.text(['claimed, %'], { frameAnchor: 'bottom', dy: 34, ...TEXT }),
        Plot.text(['came true, %'], { frameAnchor: 'top-left', dx: 4, dy: 4, textAnchor: 'start', ...TEXT }),
      ],
    },
  })
}

const percent = (share: number) => `${Math.round(share * 100)} %`

function reliabilityWords({ live, backtest }: ReliabilityData): string {
  const [points, kind] = live.length > 0 ? [live, 'live record'] : [backtest, 'record of past hours']
  if (points.length === 0) return 'No forecast with a probability has come true yet.'
  const pairs = points.map(
    ({ confidence, observed, samples }) =>
      `claimed ${percent(confidence)}, came true ${percent(observed)} (${samples} forecasts)`,
  )
  return `Of the ${kind}: ${pairs.join('; ')}.`
}
