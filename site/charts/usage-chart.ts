import { type Chart, WIDTH } from './chart.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

/** The calls of an account on the days of a month. */
export interface UsageData {
  /** The month in words: November 2026. */
  month: string
  /** How many days the month has. */
  length: number
  /** From the first day to the last that has begun; days are YYYY-MM-DD. */
  days: readonly { day: string; calls: number }[]
}

const HEIGHT = 240
const LABELLED_DAYS = [1, 8, 15, 22, 29]
const counted = (calls: number) => calls.toLocaleString('en')
const dayOf = (day: string) => Number(day.slice(8))
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
/** `1 November`. */
export const dayName = (day: string) => DAY_AND_MONTH.format(new Date(day))

/** The top of the scale: the next 1, 2 or 5 times a power of ten, at least 10. */
export function scaleTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  const top = [1, 2, 5, 10].map((step) => step * power).find((candidate) => candidate >= largest)
  return Math.max(10, top ?? 10)
}

/** Bars of the calls on the days of a month. */
export function usageChart({ Plot, draw }: Toolkit, data: UsageData): Chart {
  const { month, length, days } = data
  const top = scaleTop(Math.max(0, ...days.map(({ calls }) => calls)))
  const levels = [0, top / 2, top]
  const text = { text: (level: number) => counted(level), ...TEXT }
  return draw({
    title: `Calls a day in ${month}`,
    description: usageWords(data),
    options: {
      width: WIDTH,
      height: HEIGHT,
      ...margins(12, 4, 34, Math.max(...levels.map((level) => counted(level).length)) * 12 + 8),
      x: { type: 'band', domain: Array.from({ length }, (_, index) => index + 1), padding: 0.3, axis: null },
      y: { type: 'linear', domain: [0, top], axis: null },
      marks: [
        Plot.ruleY(levels, { stroke: colour('grid') }),
        Plot.text(levels, { y: (level: number) => level, frameAnchor: 'left', textAnchor: 'end', dx: -6, ...text }),
        Plot.barY(days, {
          x: ({ day }: UsageData['days'][number]) => dayOf(day),
          y: 'calls',
          fill: colour('observed'),
          title: ({ day, calls }: UsageData['days'][number]) => `${dayName(day)}: ${counted(calls)} calls`,
        }),
        Plot.text(
          LABELLED_DAYS.filter((day) => day <= length),
          { x: (day: number) => day, text: String, frameAnchor: 'bottom', dy: 24, ...TEXT },
        ),
      ],
    },
  })
}

function usageWords({ days }: UsageData): string {
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  const most = days.reduce((best, day) => (day.calls > best.calls ? day : best), { day: '', calls: 0 })
  if (total === 0) return 'No calls so far.'
  return `${counted(total)} calls in all, most on ${dayName(most.day)}: ${counted(most.calls)}.`
}
