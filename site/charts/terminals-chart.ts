import { DAY_MS } from '../../config/vocabulary.ts'
import { type Chart, WIDTH } from './chart.ts'
import { fitted } from './frame.tsx'
import { HEAT_LEGEND, heat } from './heat-scale.ts'
import { dayAxis, dayStart, type HistoryDay } from './history-chart.ts'
import { colour } from './palette.ts'
import { margins, NARROW_TEXT, type Toolkit } from './toolkit.ts'

/** The days of one terminal. */
export interface TerminalDays {
  terminal: string
  days: readonly HistoryDay[]
}

export interface TerminalsData {
  place: string
  /** The local dates of the first and last day of the period. */
  from: string
  to: string
  terminals: readonly TerminalDays[]
}

const ROW_HEIGHT = 30
const MARGIN_LEFT = 200

/** The waits of each terminal by day: a row a terminal, a cell a day in the colour of its median. Days without a reading stay empty. */
export function terminalsChart({ Plot, draw }: Toolkit, data: TerminalsData): Chart {
  const { terminals } = data
  const from = dayStart(data.from)
  const to = dayStart(data.to) + DAY_MS
  const cells = terminals.flatMap(({ terminal, days }) =>
    days.map(({ date, p50 }) => ({ terminal, x1: dayStart(date), x2: dayStart(date) + DAY_MS, p50 })),
  )
  return draw({
    title: `Security wait at ${data.place} by terminal and day`,
    description: terminalsWords(data),
    legend: HEAT_LEGEND,
    options: {
      width: WIDTH,
      height: terminals.length * ROW_HEIGHT + 40,
      ...margins(4, 12, 36, MARGIN_LEFT),
      x: { type: 'linear', domain: [from, to], axis: null },
      y: { type: 'band', domain: terminals.map(({ terminal }) => terminal), axis: null },
      color: { type: 'identity' },
      marks: [
        Plot.barX(cells, {
          x1: 'x1',
          x2: 'x2',
          y: 'terminal',
          fill: ({ p50 }: { p50: number }) => heat(p50),
          insetTop: 3,
          insetBottom: 3,
          insetRight: 0.5,
        }),
        Plot.axisY({
          tickSize: 0,
          label: null,
          tickFormat: (name: string) => fitted(name, MARGIN_LEFT - 10, NARROW_TEXT),
          fill: colour('ink'),
        }),
        dayAxis(Plot, from, to),
      ],
    },
  })
}

/** The chart in sentences. */
function terminalsWords({ place, from, to, terminals }: TerminalsData): string {
  const total = Math.round((dayStart(to) - dayStart(from)) / DAY_MS) + 1
  if (terminals.length === 0) return `No wait of a terminal of ${place} was observed in the last ${total} days.`
  const parts = terminals.map(({ terminal, days }) => {
    const medians = days.map(({ p50 }) => p50)
    return `${terminal}: ${days.length} of ${total} days observed, medians from ${Math.min(...medians)} to ${Math.max(...medians)} min`
  })
  return `Median security wait of each local day by terminal of ${place}. ${parts.join('; ')}.`
}
