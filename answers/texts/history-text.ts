import { z } from 'zod'
import { fraction, Instant, minutes } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import { groupBy } from '../../config/group-by.ts'
import { Basis } from '../../config/vocabulary.ts'
import type { History } from '../questions/get-historical.ts'
import { type HourOfDay, medianOf, summaryFields, summaryOfHistory } from '../questions/history-summary.ts'
import { iata, no_flights, simulated } from '../questions/shared-fields.ts'
import { dayText } from '../statements/local-clock.ts'
import { localTime } from '../statements/local-time.ts'
import { namedBy, partText, placeText, sentenceOf, sourceText, terminalName } from '../statements/text.ts'
import { noTypicalText } from '../statements/unserved.ts'

/** Usual waits, as a text. */

const samples = z.int()

/** Fewer observed hours give no rule. */
const MIN_HOURS = 50

/** The default answer: of a history these fields. */
export const HistoryBrief = z.object({
  airport: iata,
  timezone: z.string(),
  recommendation: z.string().describe('What is usual and when to go.'),
  from: Instant,
  to: Instant,
  coverage: fraction,
  observed_hours: samples,
  basis: Basis.nullable(),
  source: z.string().nullable(),
  ...summaryFields.shape,
  terminals: z
    .array(z.strictObject({ terminal: z.string(), median_minutes: minutes, samples }))
    .describe('The shortest first.'),
  no_flights,
  simulated,
})
export type HistoryBrief = z.output<typeof HistoryBrief>

export function historyBrief(history: History): HistoryBrief {
  const observed = history.hours.filter(({ terminal }) => terminal === null)
  const sources = new Set(observed.flatMap(({ source }) => source.split('+')))
  const facts = {
    ...history,
    ...summaryOfHistory(observed, history.timezone),
    observed_hours: observed.length,
    basis: basisOf(observed),
    source: sources.size > 0 ? [...sources].sort().join('+') : null,
    terminals: terminalsOf(history),
  }
  return { ...facts, recommendation: recommendationOf(facts) }
}

const basisOf = (hours: History['hours']) => {
  if (hours.length === 0) return null
  return hours.some(({ basis }) => basis === 'reported') ? ('reported' as const) : ('measured' as const)
}

function terminalsOf({ hours }: History): HistoryBrief['terminals'] {
  const terminalRows = hours.flatMap(({ terminal, mean }) => (terminal === null ? [] : [{ terminal, mean }]))
  return [...groupBy(terminalRows, ({ terminal }) => terminal)]
    .map(([terminal, rows]) => ({
      terminal,
      median_minutes: medianOf(rows.map(({ mean }) => mean)),
      samples: rows.length,
    }))
    .sort((a, b) => a.median_minutes - b.median_minutes)
}

function recommendationOf({
  airport,
  observed_hours,
  quietest,
  busiest,
  median_minutes,
  without_wait,
  no_flights,
}: Omit<HistoryBrief, 'recommendation'>): string {
  if (observed_hours === 0 && no_flights !== undefined) return sentenceOf(no_flights)
  const unserved = noTypicalText(airport)
  if (observed_hours === 0 && unserved !== null)
    return `No wait was observed at ${airport} in this period. ${unserved}.`
  if (observed_hours === 0)
    return `No wait was observed at ${airport} in this period, so nothing is known of what is usual. get_security_wait_estimate gives the current or a typical wait.`
  const [best] = quietest
  const [worst] = busiest
  const isFew = observed_hours < MIN_HOURS
  if (!best)
    return `The ${isFew ? '' : 'usual '}wait was 0 min in ${observed_hours === 1 ? 'the one observed hour' : `all ${countText(observed_hours, 'observed hour')}`} (${without_wait.join(', ')} local time): empty or closed.`
  const rule = isFew ? `In ${countText(observed_hours, 'observed hour')}, too few for a rule,` : 'Usually'
  if (!worst || worst.median_minutes === best.median_minutes)
    return `${rule} about ${median_minutes} min${worst && without_wait.length === 0 ? ' at every hour' : ''}.`
  return `${rule} ${median_minutes} min. Quietest about ${best.hour} (${best.median_minutes} min), busiest about ${worst.hour} (${tailText(worst)}), local time.`
}

/** A median, with the tenth of the days that was longer where there are enough days to say. */
const tailText = ({ median_minutes, p90_minutes }: HourOfDay) =>
  p90_minutes === null || p90_minutes <= median_minutes
    ? `${median_minutes} min`
    : `${median_minutes} min, one day in ten over ${p90_minutes}`

const hourText = (hour: HourOfDay) => `${hour.hour} ${tailText(hour)}`

function recentText(
  { days, mean_minutes, usual_minutes }: NonNullable<HistoryBrief['recent']>,
  isFew: boolean,
): string {
  const when = days === 1 ? 'The last day' : `The last ${days} days`
  const difference = mean_minutes - usual_minutes
  if (difference === 0) return `${when}: as ${isFew ? 'before' : 'usual'} (mean ${mean_minutes} min).`
  return `${when}: ${Math.abs(difference)} min ${difference > 0 ? 'longer' : 'shorter'} than ${isFew ? 'before' : 'usual'} in the same hours (mean ${mean_minutes} against ${usual_minutes} min).`
}

function trendText({ direction, minutes_per_week, samples: days }: NonNullable<HistoryBrief['trend']>): string {
  if (direction === 'steady') return `Trend over ${days} days: steady.`
  return `Trend over ${days} days: ${direction} by ${Math.abs(minutes_per_week)} min a week.`
}

export function historyText(brief: HistoryBrief, whole: HistoryBrief): string {
  const { airport, recommendation, timezone, from, to, coverage, observed_hours, source, quietest, busiest } = brief
  const { without_wait, week, recent, trend, terminals } = brief
  // The last day is the one that is still in the period.
  const dayOf = (instant: string, shift = 0) => dayText(localTime(Date.parse(instant) + shift, timezone))
  if (observed_hours === 0) return recommendation
  const isFew = observed_hours < MIN_HOURS
  const [first, last] = [dayOf(from), dayOf(to, -1)]
  const period = first === last ? `on ${first}` : `from ${first} to ${last}`
  // If every hour is alike, none is the quietest.
  const differs = week.some(({ quietest_minutes, busiest_minutes }) => quietest_minutes !== busiest_minutes)
  const rows = week.map(
    (day) =>
      `${day.day.slice(0, 3)} ${day.median_minutes} (${day.quietest_hour} ${day.quietest_minutes}, ${day.busiest_hour} ${day.busiest_minutes})`,
  )
  return [
    recommendation,
    `Security at ${airport} ${period}, on its local clock: ${countText(observed_hours, 'hour')} observed (${Math.floor(coverage * 100)} % of all)${source === null ? '' : namedBy(source, sourceText(source, 'short'))}.`,
    differs && quietest.length > 1 && `Quietest hours: ${quietest.map(hourText).join('; ')}.`,
    differs && busiest.length > 0 && `Busiest hours: ${busiest.map(hourText).join('; ')}.`,
    without_wait.length > 0 && `${isFew ? '' : 'Usually '}0 min ${without_wait.join(' and ')}: empty or closed.`,
    recent && recentText(recent, isFew),
    trend && trendText(trend),
    rows.length > 1 && differs && `Median min by day (quietest hour, busiest hour): ${rows.join('; ')}.`,
    terminals.length > 0 &&
      `Median by terminal: ${partText(
        terminals.map(({ terminal, median_minutes }) => `${placeText(terminalName(terminal))}: ${median_minutes} min`),
        whole.terminals.length,
      )}.`,
  ]
    .filter(Boolean)
    .join('\n')
}
