import { z } from 'zod'
import { AdjustedTo, type Provenance, type QueueWait } from '../../config/answer-schemas.ts'
import { publisherOf, publisherRank } from '../../config/publishers.ts'
import { terminalNamed } from '../../config/terminal-name.ts'
import { FRESH_SECONDS, HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import { clockOf, localTime } from '../statements/local-time.ts'
import { forecastHourAt, isOpenHour } from './forecast-hour.ts'

/** The fields of a forecast that say which newer wait its next hours were adjusted to, and where they still disagree. */
export const adjustmentFields = {
  adjusted_to: AdjustedTo.nullable().describe(
    'The newest wait, to which the next hours of this forecast were adjusted when the snapshot was made; null: the forecast as issued.',
  ),
  note: z
    .string()
    .nullable()
    .describe(
      'In one sentence: that security is closed now and nobody knows when it opens, or why the newest wait is outside the 80 % interval of this hour or the next; null where neither is so.',
    ),
}

/** Hours after a reading in which a forecast visibly follows it. */
const FOLLOWED_HOURS = 6

/** The newest wait that a forecast visibly follows at an instant (epoch ms); null if it follows none, or no more. */
export function followedAt(adjusted_to: AdjustedTo | null, instant: number): AdjustedTo | null {
  if (adjusted_to === null) return null
  return instant <= Date.parse(adjusted_to.observed_at) + FOLLOWED_HOURS * HOUR_MS ? adjusted_to : null
}

/** A wait as an answer shows it. */
export interface ShownWait extends Pick<Provenance, 'basis' | 'observed_at' | 'age_seconds'> {
  wait_minutes: number | null
}

/** The wait of a whole queue in the form of `ShownWait`. */
export const shownWaitOf = ({ average_wait_minutes, basis, observed_at, age_seconds }: QueueWait): ShownWait => ({
  wait_minutes: average_wait_minutes,
  basis,
  observed_at,
  age_seconds,
})

const NO_WAIT: ShownWait = { wait_minutes: null, basis: null, observed_at: null, age_seconds: null }

/** The wait of one terminal of a queue, by its normalised name; no wait where the queue has none of that name. */
export const terminalWaitOf = ({ terminals }: QueueWait, terminal: string): ShownWait =>
  terminalNamed(terminals, terminal) ?? NO_WAIT

/**
 * The sentence that an answer owes when a current wait lies outside the interval of a forecast hour; null when it is
 * inside, is no observation, or the hour has no interval.
 */
export function disagreementNote(
  wait: ShownWait,
  series: ForecastSeries,
  start: number,
  timezone: string,
): string | null {
  const hour = forecastHourAt(series, start)
  if (!hour || !isOpenHour(hour) || wait.wait_minutes === null || wait.observed_at === null) return null
  const minutes = Math.round(wait.wait_minutes)
  if (minutes >= hour.low && minutes <= hour.high) return null
  const clock = (instant: number) => clockOf(localTime(instant, timezone))
  const side = minutes > hour.high ? 'above' : 'below'
  return `${minutes} min, ${wait.basis} at ${clock(Date.parse(wait.observed_at))} local time, is ${side} the 80 % interval from ${clock(start)} (${hour.low} to ${hour.high} min): ${reasonOf(wait, series)}.`
}

/** The sources of a wait that a forecast is not learned from, because another one is closer to the queue; null if there is none. */
function furtherSources(source: string): { nearest: string; others: string } | null {
  const ids = source.split('+')
  const rankOf = (id: string) => publisherRank(publisherOf(id))
  const closest = Math.min(...ids.map(rankOf))
  const [nearest, others] = [ids.filter((id) => rankOf(id) === closest), ids.filter((id) => rankOf(id) > closest)]
  return others.length === 0 ? null : { nearest: nearest.join('+'), others: others.join('+') }
}

function reasonOf(wait: ShownWait, { adjusted_to }: ForecastSeries): string {
  if (adjusted_to === null || Date.parse(adjusted_to.observed_at) < Date.parse(wait.observed_at ?? ''))
    return 'the forecast was made without this wait'
  if (wait.basis === 'reported') return 'travellers’ reports count half, because nothing shows how well they foretell'
  const further = furtherSources(adjusted_to.source)
  if (further)
    return `it takes in terminals of ${further.others}, and the forecast is learned from ${further.nearest} alone`
  if ((wait.age_seconds ?? 0) >= FRESH_SECONDS)
    return 'the wait is over an hour old, and a deviation from the usual fades with time'
  return `the forecast was adjusted to it (${adjusted_to.expected_minutes} min had been expected), but it expects the wait to change by then`
}

/** The first disagreement in the current and the next hour, as far as an answer shows them. */
export function firstDisagreement(
  wait: ShownWait,
  series: ForecastSeries,
  now: number,
  timezone: string,
  isShown: (start: number) => boolean = () => true,
): string | null {
  const current = startOfHour(now)
  const starts = [current + HOUR_MS, current].filter(isShown)
  return starts.map((start) => disagreementNote(wait, series, start, timezone)).find((note) => note !== null) ?? null
}
