import { limitedLine, type WaitSpread } from '../../answers/statements/spread.ts'
import { type Chart, WIDTH } from './chart.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

/** The wait of one of the airports that are compared. */
export interface ComparedWait {
  airport: string
  /** Null when it is closed or not known. */
  wait_minutes: number | null
  low: number | null
  high: number | null
  status: 'open' | 'closed' | 'unknown'
  basis: 'measured' | 'reported' | 'predicted' | 'typical' | null
  spread: WaitSpread | null
}

export interface ComparisonData {
  airports: readonly ComparedWait[]
}

const ROW_HEIGHT = 40
const isObserved = ({ basis }: ComparedWait) => basis === 'measured' || basis === 'reported'

function rowText({ wait_minutes, status, basis, spread }: ComparedWait): string {
  if (status === 'closed') return limitedLine(spread) ?? 'closed'
  return wait_minutes === null ? 'not known' : `${wait_minutes} min ${basis ?? ''}`.trim()
}

/** Waits of several airports side by side: observed ones as full points, others as rings with their range. */
export function comparisonChart({ Plot, draw }: Toolkit, { airports }: ComparisonData): Chart {
  const known = airports.filter(({ wait_minutes }) => wait_minutes !== null)
  const ranged = known.filter(({ low, high }) => low !== null && high !== null)
  const top = Math.max(10, ...airports.map(({ wait_minutes, high }) => Math.max(wait_minutes ?? 0, high ?? 0)))
  const highest = top * 1.5
  return draw({
    title: 'Security waits side by side',
    description: comparisonWords({ airports }),
    legend: [
      ...(known.some(isObserved) ? [{ mark: 'dot', colour: 'observed', text: 'observed' } as const] : []),
      ...(known.every(isObserved) ? [] : [{ mark: 'dot', colour: 'line', text: 'expected' } as const]),
      ...(ranged.length > 0 ? [{ mark: 'band', colour: 'band', text: '8 of 10 waits' } as const] : []),
    ],
    options: {
      width: WIDTH,
      height: airports.length * ROW_HEIGHT + 38,
      ...margins(4, 20, 34, 60),
      x: { type: 'linear', domain: [0, highest], axis: null },
      y: { type: 'band', domain: airports.map(({ airport }) => airport), axis: null },
      marks: [
        Plot.gridX({ ticks: 5, stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.barX(ranged, { y: 'airport', x1: 'low', x2: 'high', fill: colour('band'), insetTop: 9, insetBottom: 9 }),
        // A dot at zero would hide the axis.
        Plot.dot(
          known.filter(({ wait_minutes }) => wait_minutes !== 0),
          {
            y: 'airport',
            x: 'wait_minutes',
            r: 6,
            fill: (compared: ComparedWait) => colour(isObserved(compared) ? 'observed' : 'line'),
          },
        ),
        Plot.text(airports, {
          y: 'airport',
          x: ({ wait_minutes, high }: ComparedWait) => Math.max(wait_minutes ?? 0, high ?? 0),
          text: rowText,
          textAnchor: 'start',
          dx: 12,
          fill: colour('ink'),
        }),
        Plot.axisY({ tickSize: 0, label: null, fill: colour('ink'), fontWeight: 600 }),
        Plot.axisX({
          anchor: 'bottom',
          ticks: 5,
          tickSize: 0,
          label: null,
          tickFormat: (minutes: number) => (minutes === 0 ? '0 min' : String(minutes)),
          ...TEXT,
        }),
        Plot.ruleX([0], { stroke: colour('quiet') }),
      ],
      color: { type: 'identity' },
    },
  })
}

function comparisonWords({ airports }: ComparisonData): string {
  const parts = airports.map((compared) => {
    const range =
      compared.low === null || compared.high === null ? '' : `, 8 of 10 waits from ${compared.low} to ${compared.high}`
    return `${compared.airport}: ${rowText(compared)}${compared.wait_minutes === null ? '' : range}`
  })
  return `Security waits now. ${parts.join('; ')}.`
}
