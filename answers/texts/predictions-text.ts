import { z } from 'zod'
import {
  fraction,
  Instant,
  minutes,
  nullableMinutes,
  statistic,
  unavailableReason,
} from '../../config/answer-schemas.ts'
import { Basis, LocalDate, QueueStatus } from '../../config/vocabulary.ts'
import { followedAt } from '../questions/adjustment.ts'
import {
  busiestOf,
  type ForecastRow,
  knowsOpening,
  type OpenRow,
  quietestOf,
  rangeText,
  summariesOfDays,
  usableHours,
} from '../questions/forecast-summary.ts'
import type { Predictions } from '../questions/get-predictions.ts'
import { iata, no_flights, simulated } from '../questions/shared-fields.ts'
import { dayText } from '../statements/local-clock.ts'
import { clockOf, localTime } from '../statements/local-time.ts'
import { basisText, sentenceOf } from '../statements/text.ts'
import { noTypicalText } from '../statements/unserved.ts'

/** The forecast of waits by the hour as a text: when to go, the next hours, each day. */

/** Hours from the beginning of the period that a default answer lists: fewer where it lists many days. */
const NEXT_HOURS = 8
const NEXT_HOURS_OF_A_WEEK = 3
const FEW_DAYS = 2

const Hour = z.strictObject({ hour: z.string(), wait_minutes: minutes, low: minutes, high: minutes }).nullable()

export const PredictionsBrief = z.object({
  airport: iata,
  timezone: z.string(),
  recommendation: z.string().describe('When to go, with the reason.'),
  hours: z
    .array(
      z.object({
        local_time: z.string(),
        status: QueueStatus,
        wait_minutes: nullableMinutes,
        low: nullableMinutes,
        high: nullableMinutes,
        confidence: fraction.nullable(),
      }),
    )
    .describe(
      'The first hours of the period, without those of the night of which nobody knows whether security is open.',
    ),
  days: z
    .array(z.object({ date: LocalDate, closed: z.array(z.string()), quietest: Hour, busiest: Hour }))
    .describe('Local days: the hours in which security is closed, the quietest and the busiest open hour.'),
  model: z
    .object({
      version: z.string(),
      basis: Basis,
      backtest: z.object({ mae_minutes: statistic.nullable(), samples: z.int() }),
    })
    .nullable(),
  note: z.string().nullable(),
  generated_at: Instant,
  unavailable_reason: unavailableReason,
  no_flights,
  simulated,
})
export type PredictionsBrief = z.output<typeof PredictionsBrief>

export function predictionsBrief(predictions: Predictions): PredictionsBrief {
  const { note } = predictions
  const hours: Predictions['hours'] = predictions.hours
  const days = summariesOfDays(hours)
  const nextHours = days.length > FEW_DAYS ? NEXT_HOURS_OF_A_WEEK : NEXT_HOURS
  return {
    ...predictions,
    recommendation: recommendationOf(predictions),
    hours: hours.filter(knowsOpening).slice(0, nextHours),
    days,
    note: note ?? adjustedText(predictions),
  }
}

function recommendationOf({ airport, date, hours, unavailable_reason }: Predictions): string {
  const unserved = hours.length === 0 ? noTypicalText(airport) : null
  if (unserved !== null) return `${unavailable_reason ?? 'no forecast reaches these hours'}. ${unserved}.`
  if (hours.length === 0)
    return `${unavailable_reason ?? 'no forecast reaches these hours'}. get_security_wait_estimate has the current or a typical wait.`
  const seen = whenToGo(hours, date)
  // A lower tier answers about the hours that it sees, whatever day was requested.
  return unavailable_reason === null ? seen : `${sentenceOf(unavailable_reason)} ${seen}`
}

/** The quietest and the busiest hour, and which hours were left out for them. */
export function whenToGo(hours: readonly ForecastRow[], date: string): string {
  const usable = usableHours(hours)
  const quietest = quietestOf(usable)
  const busiest = busiestOf(usable)
  if (!quietest || !busiest)
    return hours.every(({ status }) => status === 'closed')
      ? 'Security is expected to be closed in all of these hours.'
      : 'No hour can be recommended: nothing tells when security is open here, and no wait is expected in the daytime.'
  const isOtherDay = hours.some(({ local_time }) => !local_time.startsWith(date))
  const timeText = ({ local_time }: OpenRow) =>
    `${isOtherDay ? `${dayText(local_time.slice(0, 10))} ` : ''}${clockOf(local_time)}`
  const isEmptyLeftOut = quietest.wait_minutes > 0 && hours.some(({ wait_minutes }) => wait_minutes === 0)
  const caveat = [
    hours.every(knowsOpening) ? '' : ' Where opening hours are not known, those from 22:00 to 05:00 are left out.',
    isEmptyLeftOut ? ' Hours of the night in which nobody waits are left out.' : '',
  ].join('')
  if (quietest.wait_minutes === busiest.wait_minutes)
    return `All open hours are alike: about ${rangeText(quietest)}.${caveat}`
  return `Quietest: ${timeText(quietest)}, about ${rangeText(quietest)}. Busiest: ${timeText(busiest)}, about ${rangeText(busiest)}.${caveat}`
}

function hourText({ local_time, status, wait_minutes, low, high }: PredictionsBrief['hours'][number]): string {
  const clock = clockOf(local_time)
  if (wait_minutes === null || low === null || high === null)
    return `${clock} ${status === 'closed' ? 'closed' : 'not known'}`
  return `${clock} ${rangeText({ wait_minutes, low, high })}`
}

/** An hour of a list; the first one of a local day names it. */
function hourInList(row: PredictionsBrief['hours'][number], place: number, rows: PredictionsBrief['hours']): string {
  const date = row.local_time.slice(0, 10)
  return rows[place - 1]?.local_time.startsWith(date) ? hourText(row) : `${dayText(date)} ${hourText(row)}`
}

function lineOfDay({ date, closed, quietest, busiest }: PredictionsBrief['days'][number]): string {
  const isOneHour = quietest?.hour === busiest?.hour
  const parts = [
    quietest && `${isOneHour ? '' : 'quietest '}${quietest.hour}, ${rangeText(quietest)}`,
    busiest && !isOneHour && `busiest ${busiest.hour}, ${rangeText(busiest)}`,
    closed.length > 0 && `closed ${closed.join(' and ')}`,
  ].filter(Boolean)
  return `${dayText(date)}: ${parts.length > 0 ? parts.join('; ') : 'only hours at which security may be closed'}.`
}

export function predictionsText({ hours, days }: PredictionsBrief, whole: PredictionsBrief): string {
  const { airport, recommendation, model, note } = whole
  const [first] = whole.hours
  if (!first) return whole.no_flights === undefined ? `${airport}: ${recommendation}` : sentenceOf(whole.no_flights)
  const isShut = whole.hours.every(({ status }) => status === 'closed')
  return [
    recommendation,
    !isShut &&
      `Security at ${airport} on its local clock${model === null ? '' : `, ${basisText({ ...model, age_seconds: null, source: model.version })}${errorText(model)}`}. In brackets the range of four hours in five.`,
    note,
    hours.length > 0 && `${hours.map(hourInList).join('; ')}.`,
    ...days.map(lineOfDay),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n')
}

/** The wait that the next hours follow; null if the listed hours begin too late to follow it. */
function adjustedText({ adjusted_to, hours, timezone }: Predictions): string | null {
  const [first] = hours
  const followed = first ? followedAt(adjusted_to, Date.parse(first.time)) : null
  if (!followed) return null
  const { wait_minutes, basis, observed_at, expected_minutes } = followed
  const clock = clockOf(localTime(Date.parse(observed_at), timezone))
  return `The next hours follow ${wait_minutes} min ${basis} at ${clock} (${expected_minutes} min had been expected).`
}

const errorText = ({ backtest }: NonNullable<PredictionsBrief['model']>) =>
  backtest.mae_minutes === null || backtest.samples === 0
    ? ' and not yet tested'
    : `, usually off by ${Math.max(1, Math.round(backtest.mae_minutes))} min`
