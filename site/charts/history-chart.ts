import { DateTime } from 'luxon'
import { noWaitObserved } from '../../answers/statements/no-figures.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { type Chart, WIDTH } from './chart.ts'
import { type RunPoint, runsOf } from './marks.ts'
import { colour } from './palette.ts'
import { margins, type Plot, TEXT, type Toolkit } from './toolkit.ts'

/** One local day of history. */
export interface HistoryDay {
  /** Local date: 2026-11-21. */
  date: string
  /** Hours of the day that were observed. */
  hours: number
  /** Tenth percentile, median and ninetieth percentile of the mean waits of the hours, in minutes. */
  p10: number
  p50: number
  p90: number
}

export interface HistoryData {
  place: string
  /** The local dates of the first and last day of the period. */
  from: string
  to: string
  /** Days that were observed; the others are absent. */
  days: readonly HistoryDay[]
}

/** The start of a local date as an instant of an axis, on which every day has the same length. */
export const dayStart = (date: string) => Date.parse(`${date}T00:00:00Z`)

type DayPoint = RunPoint<HistoryDay>

/** An axis of local days from `from` to `to` (excluded). */
export function dayAxis(Plot: Plot, from: number, to: number) {
  const period = (to - from) / DAY_MS
  const step = [1, 2, 7, 14, 28].find((days) => period / days <= 5) ?? 28
  const ticks = Array.from({ length: Math.ceil(period / step) }, (_, k) => from + k * step * DAY_MS)
  return Plot.axisX(ticks, {
    anchor: 'bottom',
    label: null,
    tickSize: 4,
    stroke: colour('quiet'),
    textAnchor: 'start',
    tickFormat: (instant: number) => DateTime.fromMillis(instant, { zone: 'utc' }).setLocale('en').toFormat('d LLL'),
    ...TEXT,
  })
}

/** Each local day's usual and long waits over a period. */
export function historyChart({ Plot, draw }: Toolkit, data: HistoryData): Chart {
  const from = dayStart(data.from)
  const to = dayStart(data.to) + DAY_MS
  const points = runsOf(data.days, ({ date }) => dayStart(date), DAY_MS)
  const highest = Math.max(20, ...data.days.map(({ p90 }) => p90))
  return draw({
    title: `Security wait at ${data.place} by day`,
    description: historyWords(data),
    legend: [
      { mark: 'line', colour: 'observed', text: 'median of the day' },
      { mark: 'band', colour: 'observed-band', text: '8 of 10 hours' },
    ],
    options: {
      width: WIDTH,
      height: 260,
      ...margins(32, 12, 34, 40),
      x: { type: 'linear', domain: [from, to], axis: null },
      y: { domain: [0, highest * 1.05], axis: null },
      marks: [
        Plot.gridY({ ticks: 4, stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.areaY(points, {
          x: 'instant',
          y1: ({ value }: DayPoint) => value.p10,
          y2: ({ value }: DayPoint) => value.p90,
          z: 'run',
          fill: colour('observed-band'),
        }),
        Plot.lineY(points, {
          x: 'instant',
          y: ({ value }: DayPoint) => value.p50,
          z: 'run',
          stroke: colour('observed'),
          strokeWidth: 2,
        }),
        Plot.axisY({ ticks: 4, tickSize: 0, label: null, ...TEXT }),
        Plot.text(['min'], { frameAnchor: 'top-left', dx: -34, dy: -26, textAnchor: 'start', ...TEXT }),
        dayAxis(Plot, from, to),
        Plot.ruleY([0], { stroke: colour('quiet') }),
      ],
    },
  })
}

const dateText = (date: string) => DateTime.fromISO(date, { zone: 'utc' }).setLocale('en').toFormat('cccc d LLLL')

export function historyWords({ place, from, to, days }: HistoryData): string {
  const total = Math.round((dayStart(to) - dayStart(from)) / DAY_MS) + 1
  if (days.length === 0) return noWaitObserved(place, total)
  const worst = days.reduce((most, day) => (day.p90 > most.p90 ? day : most))
  const medians = days.map(({ p50 }) => p50)
  return [
    `Security wait at ${place} on ${days.length} of the last ${total} local days.`,
    `The median of a day lay between ${Math.min(...medians)} and ${Math.max(...medians)} min.`,
    `The longest waits were on ${dateText(worst.date)}: one hour in ten had ${worst.p90} min or more.`,
  ].join(' ')
}
