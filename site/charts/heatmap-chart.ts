import type { History } from '../../answers/questions/get-historical.ts'
import { noWaitObserved } from '../../answers/statements/no-figures.ts'
import { type Chart, WIDTH } from './chart.ts'
import { HEAT_LEGEND, heat, onHeat } from './heat-scale.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

type UsualHour = History['pattern'][number]

export interface UsualData {
  place: string
  /** Days of history behind the figures. */
  days: number
  hours: readonly UsualHour[]
  /** The current hour of the week at the airport. */
  now: { day_of_week: number; hour: number }
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const SHORT_DAYS = WEEKDAYS.map((day) => day.slice(0, 3))
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const DAYS = [1, 2, 3, 4, 5, 6, 7]
/** The usual wait at each hour of the week: one cell an hour with its median in minutes. The hours run down. */
export function heatmapChart({ Plot, draw }: Toolkit, data: UsualData): Chart {
  const y = ({ hour }: { hour: number }) => hour
  const x = ({ day_of_week }: { day_of_week: number }) => day_of_week
  const hourScale = { type: 'band' as const, domain: HOURS, padding: 0.08 }
  const dayScale = { type: 'band' as const, domain: DAYS, padding: 0.08 }
  const hourText = (hour: number) => String(hour).padStart(2, '0')
  const dayText = (day: number) => SHORT_DAYS[day - 1] ?? ''
  const known = new Set(data.hours.map(({ day_of_week, hour }) => `${day_of_week} ${hour}`))
  const unknown = DAYS.flatMap((day_of_week) => HOURS.map((hour) => ({ day_of_week, hour }))).filter(
    ({ day_of_week, hour }) => !known.has(`${day_of_week} ${hour}`),
  )
  const axis = { tickSize: 0, label: null, ...TEXT }
  return draw({
    title: `What is usual at ${data.place}, by weekday and hour`,
    description: usualWords(data),
    legend: HEAT_LEGEND,
    options: {
      width: WIDTH,
      height: 700,
      ...margins(30, 4, 4, 36),
      x: dayScale,
      y: hourScale,
      color: { type: 'identity' },
      marks: [
        Plot.axisX({ anchor: 'top', tickFormat: dayText, ...axis }),
        Plot.axisY({ tickFormat: hourText, ...axis }),
        Plot.cell(unknown, { x, y, fill: 'none', stroke: colour('grid'), inset: 0.5 }),
        Plot.cell(data.hours, { x, y, fill: ({ p50 }: UsualHour) => heat(p50) }),
        Plot.cell([data.now], { x, y, fill: 'none', stroke: colour('now'), strokeWidth: 2.5, inset: -1 }),
        Plot.text(data.hours, {
          x,
          y,
          text: ({ p50 }: UsualHour) => String(p50),
          fill: ({ p50 }: UsualHour) => onHeat(p50),
        }),
      ],
    },
  })
}

const hourOfWeek = ({ day_of_week, hour }: UsualHour) =>
  `${WEEKDAYS[day_of_week - 1]} at ${String(hour).padStart(2, '0')}:00`

/** The same in sentences: the longest and shortest hours of the week, and the hour that it is now. */
export function usualWords({ place, days, hours, now }: UsualData): string {
  if (hours.length === 0) return noWaitObserved(place, days)
  const byWait = hours.toSorted((a, b) => a.p50 - b.p50)
  const [quietest, busiest] = [byWait[0]!, byWait.at(-1)!]
  const current = hours.find(({ day_of_week, hour }) => day_of_week === now.day_of_week && hour === now.hour)
  return [
    `Median security wait at ${place} by local weekday and hour over the last ${days} days.`,
    `Longest: ${hourOfWeek(busiest)}, ${busiest.p50} min. Shortest: ${hourOfWeek(quietest)}, ${quietest.p50} min.`,
    current
      ? `This hour of the week: usually ${current.p50} min, one time in ten ${current.p90} min or more.`
      : 'This hour of the week was not observed.',
    `${hours.length} of 168 hours of the week were observed.`,
  ].join(' ')
}
