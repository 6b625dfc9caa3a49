import { DateTime } from 'luxon'
import { getPredictions, type Predictions } from '../queries/get-predictions.ts'
import { defineTool, READ_ONLY } from './define.ts'

type Hour = Predictions['hours'][number]

const dayOf = ({ local_time }: Hour) => local_time.slice(0, 10)
const clock = ({ local_time }: Hour) => local_time.slice(11, 16)
const wait = ({ wait_minutes, low, high, observed_minutes: observed }: Hour) =>
  `${wait_minutes} min (${low} to ${high}${typeof observed === 'number' ? `; observed ${observed}` : ''})`

/** One line a day: when security is quickest and when slowest. The hours themselves are in the structured answer. */
function dayLine(day: string, hours: Hour[]): string {
  const [first, ...others] = hours as [Hour, ...Hour[]]
  const quickest = others.reduce((best, hour) => (hour.wait_minutes < best.wait_minutes ? hour : best), first)
  const slowest = others.reduce((worst, hour) => (hour.wait_minutes > worst.wait_minutes ? hour : worst), first)
  const name = DateTime.fromISO(day).setLocale('en').toFormat('ccc d LLL')
  return `${name}: quickest at ${clock(quickest)}, ${wait(quickest)}; slowest at ${clock(slowest)}, ${wait(slowest)}`
}

function lines(hours: Hour[]): string[] {
  const days = [...new Set(hours.map(dayOf))].map((day) => [day, hours.filter((hour) => dayOf(hour) === day)] as const)
  if (days.length > 2) return days.map(([day, hours]) => dayLine(day, hours))
  return days.flatMap(([day, hours]) => [`${day}:`, ...hours.map((hour) => `${clock(hour)} ${wait(hour)}`)])
}

export const getWaitTimePredictionsTool = defineTool<Predictions>({
  name: 'get_wait_time_predictions',
  title: 'Security-wait forecast by the hour (24 hours or 7 days)',
  description:
    'Security waits predicted hour by hour, with an 80 % interval and a confidence. Use it to choose when to arrive. `generated_at` says how fresh; closures and staffing of the day are not known. `days: 1` gives the next 24 hours and `days: 7` the next 168 in one answer; `date` one local day of the airport, with `days` so many from it on; neither: the rest of today. `as_of`: the forecast as it stood then, with what was observed since. Needs Pro (the next 24 hours: today or tomorrow) or Enterprise (7 days, with terminals); on a free key it answers PREMIUM_REQUIRED, and asking again does not help.',
  annotations: READ_ONLY,
  example: { iata: 'JFK', days: 1 },
  query: getPredictions,
  text({ airport, date, hours, model, unavailable_reason, as_of, issued_at }) {
    const then = as_of === undefined ? '' : `, as of ${as_of}`
    if (hours.length === 0) return `${airport}, ${date}${then}: ${unavailable_reason ?? 'no forecast'}.`
    const made = issued_at ? `${then}, made ${issued_at}` : ''
    const basis = model === null ? '' : `, ${model.basis} by ${model.version}`
    return [`Security at ${airport}${made}, local time${basis}:`, ...lines(hours)].join('\n')
  },
})
