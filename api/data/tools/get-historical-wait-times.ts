import { getHistorical, type History } from '../queries/get-historical.ts'
import { defineTool, READ_ONLY } from './define.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const patternHourText = ({ day_of_week, hour, p50, p90 }: History['pattern'][number]) =>
  `${WEEKDAYS[day_of_week - 1]} ${String(hour).padStart(2, '0')}:00 (median ${p50} min, one in ten above ${p90} min)`

export const getHistoricalWaitTimesTool = defineTool<History>({
  name: 'get_historical_wait_times',
  title: 'Observed security waits by hour (7 or 90 days)',
  description:
    'Observed security waits, hour by hour, and their pattern by local weekday and hour. Use it for what is usual at an airport; for future waits use get_wait_time_predictions. Hours without readings are absent, never filled in: `coverage` is the fraction observed. Ends with the last whole hour. `as_of`: only what was known then. Pro: 7 days; Enterprise: 90 days with terminals. A free key gets PREMIUM_REQUIRED; a retry does not help.',
  annotations: READ_ONLY,
  example: { iata: 'JFK', days: 7 },
  query: getHistorical,
  text({ airport, from, to, coverage, hours, pattern, as_of, withheld_hours }) {
    const asOf = as_of === undefined ? '' : ` As of ${as_of}; ${withheld_hours} hours known only later are left out.`
    if (hours.length === 0) return `${airport}: no hour was observed from ${from} to ${to}.${asOf}`
    const byMedian = pattern.toSorted((a, b) => a.p50 - b.p50)
    const observed = hours.filter(({ terminal }) => terminal === null).length
    const sources = new Set(hours.flatMap(({ source }) => source.split('+')))
    return [
      `${airport}, ${from.slice(0, 10)} to ${to.slice(0, 10)}: ${observed} hours observed, ${Math.floor(coverage * 100)} % of all.${asOf}`,
      `Shortest: ${patternHourText(byMedian[0]!)}.`,
      `Longest: ${patternHourText(byMedian.at(-1)!)}, local time.`,
      `Sources: ${[...sources].join(', ')}.`,
    ].join('\n')
  },
})
