import { DateTime } from 'luxon'
import { getPredictions, type Predictions } from '../queries/get-predictions.ts'
import { clockOf } from '../queries/local-time.ts'
import { defineTool, READ_ONLY } from './define.ts'

type PredictedHour = Predictions['hours'][number]

const dayOf = ({ local_time }: PredictedHour) => local_time.slice(0, 10)

type OpenPredictedHour = PredictedHour & { wait_minutes: number }
const isOpen = (hour: PredictedHour): hour is OpenPredictedHour => hour.wait_minutes !== null

function waitText({ wait_minutes, low, high, observed_minutes }: PredictedHour): string {
  if (wait_minutes === null) return 'closed'
  const observed = typeof observed_minutes === 'number' ? `; observed ${observed_minutes}` : ''
  return `${wait_minutes} min (${low} to ${high}${observed})`
}

/** One line for a day: its shortest and its longest wait. All hours are in the structured answer. */
function dayText(day: string, hours: PredictedHour[]): string {
  const sorted = hours.filter(isOpen).toSorted((a, b) => a.wait_minutes - b.wait_minutes)
  const name = DateTime.fromISO(day).setLocale('en').toFormat('ccc d LLL')
  const [shortest] = sorted
  const longest = sorted.find(({ wait_minutes }) => wait_minutes === sorted.at(-1)?.wait_minutes)
  if (!shortest || !longest) return `${name}: closed`
  return `${name}: shortest at ${clockOf(shortest.local_time)}, ${waitText(shortest)}; longest at ${clockOf(longest.local_time)}, ${waitText(longest)}`
}

/** Every hour of one or two days, or one line for each of more days. */
function hourLines(hours: PredictedHour[]): string[] {
  const days = [...new Set(hours.map(dayOf))]
  const hoursOf = (day: string) => hours.filter((hour) => dayOf(hour) === day)
  if (days.length > 2) return days.map((day) => dayText(day, hoursOf(day)))
  return days.flatMap((day) => [
    `${day}:`,
    ...hoursOf(day).map((hour) => `${clockOf(hour.local_time)} ${waitText(hour)}`),
  ])
}

export const getWaitTimePredictionsTool = defineTool<Predictions>({
  name: 'get_wait_time_predictions',
  title: 'Security-wait forecast by the hour (24 hours or 7 days)',
  description:
    'Security waits predicted hour by hour, with an 80 % interval and a confidence. Use it to choose when to arrive. `generated_at` is the time of the snapshot; the next hours are adjusted to the newest wait, which `adjusted_to` names, and `note` says why where that wait is still outside the interval; closures and staffing of the day are not known. `days: 1` gives the next 24 hours and `days: 7` the next 168 in one answer; `date` one local day of the airport, with `days` that many from it on; neither: the next 24 hours. `as_of`: the forecast as it stood then, with what was observed since. Needs Pro (the next 24 hours, for today and tomorrow alike) or Enterprise (7 days, with terminals); a free key gets PREMIUM_REQUIRED, and a retry does not help.',
  annotations: READ_ONLY,
  example: { iata: 'JFK', days: 1 },
  query: getPredictions,
  text({ airport, date, hours, model, unavailable_reason, as_of, issued_at, adjusted_to, note }) {
    const asOf = as_of === undefined ? '' : `, as of ${as_of}`
    if (hours.length === 0) return `${airport}, ${date}${asOf}: ${unavailable_reason ?? 'no forecast'}.`
    const made = issued_at ? `${asOf}, made ${issued_at}` : ''
    const basis = model === null ? '' : `, ${model.basis} by ${model.version}`
    const adjusted =
      adjusted_to === null
        ? ''
        : `, adjusted to ${adjusted_to.wait_minutes} min ${adjusted_to.basis} at ${adjusted_to.observed_at}`
    return [
      `Security at ${airport}${made}, local time${basis}${adjusted}:`,
      ...hourLines(hours),
      ...(note === null ? [] : [note]),
    ].join('\n')
  },
})
