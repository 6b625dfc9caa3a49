import { getHistorical } from '../queries/get-historical.ts'
import { defineTool, READ_ONLY } from './define.ts'

interface PatternHour {
  day_of_week: number
  hour: number
  p50: number
  p90: number
}
interface Answer {
  airport: string
  timezone: string
  from: string
  to: string
  coverage: number
  hours: { terminal: string | null; source: string }[]
  pattern: PatternHour[]
  as_of?: string
  withheld_hours?: number
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const slot = ({ day_of_week, hour, p50, p90 }: PatternHour) =>
  `${DAYS[day_of_week - 1]} ${String(hour).padStart(2, '0')}:00 (median ${p50} min, one in ten above ${p90} min)`

export const getHistoricalWaitTimesTool = defineTool<Answer>({
  name: 'get_historical_wait_times',
  title: 'Observed security waits by hour (7 or 90 days)',
  description:
    'Security waits as they were observed, hour by hour, and their pattern by local weekday and hour. Use it for what is usual at an airport; for what is to come use get_wait_time_predictions. Hours without readings are absent, never filled in: `coverage` says how many were observed. Ends with the last whole hour. `as_of`: only what was known then. Pro: 7 days; Enterprise: 90 days with terminals. On a free key it answers PREMIUM_REQUIRED, and asking again does not help.',
  annotations: READ_ONLY,
  example: { iata: 'JFK', days: 7 },
  query: getHistorical,
  text({ airport, from, to, coverage, hours, pattern, as_of, withheld_hours }) {
    const then = as_of === undefined ? '' : ` As of ${as_of}; ${withheld_hours} hours known only later are left out.`
    if (hours.length === 0) return `${airport}: no hour was observed from ${from} to ${to}.${then}`
    const known = pattern.toSorted((a, b) => a.p50 - b.p50)
    const observed = hours.filter(({ terminal }) => terminal === null).length
    return [
      `${airport}, ${from.slice(0, 10)} to ${to.slice(0, 10)}: ${observed} hours observed, ${Math.floor(coverage * 100)} % of all.${then}`,
      `Shortest: ${slot(known[0]!)}.`,
      `Longest: ${slot(known.at(-1)!)}, local time.`,
      `Observed by ${[...new Set(hours.flatMap(({ source }) => source.split('+')))].join(', ')}.`,
    ].join('\n')
  },
})
