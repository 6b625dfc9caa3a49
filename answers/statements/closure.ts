import { z } from 'zod'
import { Instant, type QueueWait } from '../../config/answer-schemas.ts'
import { CLOSED_WORDS, closureWords } from '../../config/reference/faa-words.ts'
import { type ClosedForHoliday, HOLIDAY_CLOSURES } from '../../config/reference/holiday-closures.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { Closure } from '../../warehouse/publishing/read/delays.ts'
import {
  closedUntil,
  closureBegins,
  closureInForce,
  dateText,
  localHours,
  parseClosedHours,
} from '../../warehouse/tables/closure.ts'
import { clockOn, spanText } from './local-clock.ts'
import { localDayAt } from './local-time.ts'

export const AirportClosure = z
  .strictObject({
    until: Instant.nullable().describe('When airlines may fly again; null: not known.'),
    end: z.string().describe('The same in words, like `until 06:30`.'),
    repeats: z
      .string()
      .nullable()
      .describe(
        'When it is closed again: `every night until 30 Nov`, of another closure `then every night from 23:00 to 06:30`; null: no more.',
      ),
  })
  .meta({ id: 'AirportClosure', description: 'What shuts airlines out of an airport now.' })
export type AirportClosure = z.output<typeof AirportClosure>

/** A closure to airlines. */
interface Shut {
  /** The closure that lasts longest. */
  closure: Closure
  /** End of the closures without a gap (epoch ms); null: unknown. */
  until: number | null
}

/** The closure to airlines at an instant (epoch ms); adjoining closures count as one. Null if they may fly. */
function shutAt(closures: readonly Closure[], moment: number): Shut | null {
  let shut: Shut | null = null
  for (let reached = moment; ; reached = shut.until!) {
    const [longest] = closures
      .filter((closure) => closureInForce(closure, reached))
      .map((closure) => ({ closure, until: closedUntil(closure, reached) }))
      .sort((a, b) => (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY))
    if (!longest) return shut
    shut = longest
    if (shut.until === null || shut.until <= reached) return shut
  }
}

/** A queue of security by its state now. */
export type QueueState = Pick<QueueWait, 'status' | 'reopens_at'>

/** Whether security is closed and nobody has said when it opens. */
export const isOpeningUnknown = ({ status, reopens_at }: QueueState): boolean =>
  status === 'closed' && reopens_at === null

/** What a forecast says of its waits then. */
export const UNKNOWN_OPENING_TEXT =
  'Security is closed now, and when it opens is not known: these waits are of hours in which it is open.'

/** Whether an hour ahead (its start, epoch ms) has no wait: it begins while airlines are shut out, or before closed security opens. */
export function isShutHour(start: number, closures: readonly Closure[], { status, reopens_at }: QueueState): boolean {
  if (shutAt(closures, start) !== null) return true
  return status === 'closed' && reopens_at !== null && start < Date.parse(reopens_at)
}

/** The closure that shuts airlines out at `now` (epoch ms): of several, the one that lasts longest. Null if they may fly. */
export function closedToAirlines(closures: readonly Closure[], timezone: string, now: number): AirportClosure | null {
  const shut = shutAt(closures, now)
  if (!shut) return null
  const { closure, until } = shut
  const again = closures
    .filter((other) => other !== closure && until !== null && repeatsAfter(other, until))
    .map((other) => `then ${hoursUntil(other, timezone, now)}`)
  const repeats = until !== null && repeatsAfter(closure, until) ? repeatsText(closure, timezone, now) : null
  return {
    until: until === null ? null : isoUtc(until),
    end: until === null ? 'until when is not known' : `until ${clockOn(isoUtc(until), timezone, now)}`,
    repeats: [repeats, ...again].filter(Boolean).join(', ') || null,
  }
}

/** Whether a closure by hours comes back after an instant (epoch ms). */
const repeatsAfter = ({ closed_to_airlines, closed_hours_utc, end }: Closure, moment: number) =>
  closed_to_airlines === true && closed_hours_utc !== null && (end === null || Date.parse(end) > moment)

/** Whether airlines are shut out within a day of `now` (epoch ms), other than by hours of every day, and not yet. */
export const closesSoon = (closures: readonly Closure[], now: number): boolean =>
  closures.some(
    ({ closed_to_airlines, closed_hours_utc, in_force, start }) =>
      closed_to_airlines === true &&
      closed_hours_utc === null &&
      !in_force &&
      start !== null &&
      Date.parse(start) <= now + DAY_MS,
  )

/** Hours of every day are news shortly before them, other closures a day ahead. */
const HOURS_AHEAD_MS = 3 * HOUR_MS

/** The next closure to airlines in words. */
export interface NextClosure {
  /** The clock at which it begins: `23:00`. */
  from: string
  /** `it opens again at 06:30`. */
  opens: string
}

/** When airlines are shut out next, if that is soon, and when they may fly again. Null while they may not fly. */
export function nextClosure(closures: readonly Closure[], timezone: string, now: number): NextClosure | null {
  if (shutAt(closures, now)) return null
  const begins = closures.flatMap((closure) => {
    const begin = closureBegins(closure, now, now + (closure.closed_hours_utc === null ? DAY_MS : HOURS_AHEAD_MS))
    return begin ?? []
  })
  if (begins.length === 0) return null
  const from = Math.min(...begins)
  const until = shutAt(closures, from)?.until ?? null
  return {
    from: clockOn(isoUtc(from), timezone, now),
    opens: until === null ? 'until when is not known' : `it opens again at ${clockOn(isoUtc(until), timezone, now)}`,
  }
}

/** `until 06:30 (every night until 30 Nov)`. */
export const closurePeriod = ({ end, repeats }: AirportClosure): string =>
  repeats === null ? end : `${end} (${repeats})`

/** `closed to airlines until 06:30 (every night until 30 Nov)`. */
export const closureText = (closure: AirportClosure): string =>
  `closed to airlines${closure.until === null ? ',' : ''} ${closurePeriod(closure)}`

/** A closure where a wait is asked for: `closed to airlines until 06:30: security may open shortly before, and no wait is given`. `isClosed`: whether security is closed too. */
export function noWaitText(closure: AirportClosure, isClosed: boolean): string {
  const reopening =
    closure.until === null ? 'no wait is given' : 'security may open shortly before, and no wait is given'
  return `${closureText(closure)}: ${isClosed ? 'nobody waits at security now' : reopening}`
}

/** `every night until 30 Nov`; the hours themselves where they are not those of every day. Null if it has none. */
function repeatsText(closure: Closure, timezone: string, now: number): string | null {
  const { closed_hours_utc, end } = closure
  if (closed_hours_utc === null) return null
  const hours = parseClosedHours(closed_hours_utc)
  if (hours === null || hours.length !== 1 || hours[0]!.days !== null) return hoursUntil(closure, timezone, now)
  // The text already says when it ends today.
  const every = localHours(closed_hours_utc, timezone, now)![0]!.days
  return end === null ? every : `${every} until ${localDayText(end, timezone, now)}`
}

/** `every night from 23:00 to 06:30 until 30 Nov`. */
function hoursUntil({ closed_hours_utc, closed_hours_local, end }: Closure, timezone: string, now: number): string {
  const hours = closed_hours_local ?? `daily at ${closed_hours_utc} UTC`
  return end === null ? hours : `${hours} until ${localDayText(end, timezone, now)}`
}

/** The words of a closure in brackets, unless they say no more than that the airport is closed. No feed states those for holidays. */
function closureReason(reason: string | null): string {
  if (HOLIDAY_CLOSURES.rows().some(({ name }) => name === reason)) return ` (for ${reason}, as every year)`
  const words = reason === null ? CLOSED_WORDS : closureWords(reason)
  return words === CLOSED_WORDS ? '' : ` (${words})`
}

/** The local day of an instant: `30 Nov`, `today`. */
function localDayText(instant: string, timezone: string, moment: number): string {
  const day = localDayAt(Date.parse(instant), timezone)
  return day === localDayAt(moment, timezone) ? 'today' : dateText(Date.parse(day))
}

/** Follows the last clock of a sentence: ` local time`; empty if the clock has its zone. */
const localTimeText = (timezone: string) => (timezone === 'UTC' ? '' : ' local time')

/** Start and end of a closure without hours: `from Sat 28 Nov 14:00 to 18:00 local time`, `until 18:00 local time`. */
function periodText({ start, end }: Closure, timezone: string, { moment, today }: Read): string {
  const zone = localTimeText(timezone)
  const isAhead = start !== null && Date.parse(start) > moment
  if (isAhead)
    return `from ${end === null ? clockOn(start, timezone, today) : spanText(start, end, timezone, today)}${zone}`
  return end === null ? '' : `until ${clockOn(end, timezone, today)}${zone}`
}

/** The closures of an airport as sentences of an instant (epoch ms), on its clock. Each holds beside the others: the one that lasts longest leads. Closures reported elsewhere are left out. Times of another day than `today` (epoch ms) have their date. */
export function closureSentences(
  closures: readonly Closure[],
  timezone: string,
  moment: number,
  { isExcluded = () => false, today = moment }: { isExcluded?: (closure: Closure) => boolean; today?: number } = {},
): { now: string[]; later: string[] } {
  const shut = shutAt(closures, moment)
  const others = closures.filter((closure) => closure !== shut?.closure && !isExcluded(closure))
  const beside = (closure: Closure) => closureSentence(closure, timezone, { moment, today, isShut: shut !== null })
  const isNow = (closure: Closure) => closureInForce(closure, moment)
  return {
    now: [
      ...(shut && !isExcluded(shut.closure) ? [shutSentence(shut, timezone, { moment, today })] : []),
      ...others.filter(isNow).map(beside),
    ],
    later: others.filter((closure) => !isNow(closure)).map(beside),
  }
}

/** The instant of a sentence, and one of the day on which it is read (epoch ms). */
interface Read {
  moment: number
  today: number
}

/** The present closure to airlines: `Closed to airlines until 06:30 local time (runway closed).` */
function shutSentence({ closure, until }: Shut, timezone: string, { moment, today }: Read): string {
  const hours = hoursText(closure, timezone, moment, today)
  const end = until === null ? '; until when is not known' : ` until ${clockOn(isoUtc(until), timezone, today)}`
  const repeats = hours !== null && (until === null || repeatsAfter(closure, until))
  const zone = until === null || repeats ? '' : localTimeText(timezone)
  return `Closed to airlines${end}${zone}${repeats ? `: ${hours}` : ''}${closureReason(closure.reason)}.`
}

/** A closure beside what shuts airlines out now, or while they may fly. The text of the notice, which may be long, stands in the closure itself unless airlines are shut out. */
function closureSentence(
  closure: Closure,
  timezone: string,
  { moment, today, isShut }: Read & { isShut: boolean },
): string {
  const { reason, closed_to_airlines } = closure
  if (closed_to_airlines === false) return 'A closure is listed for other aircraft; airlines are not shut out.'
  if (closed_to_airlines === null) return 'A closure is listed; whether it shuts out airlines is not clear.'
  const period = hoursText(closure, timezone, moment, today) ?? periodText(closure, timezone, { moment, today })
  const head = isShut ? 'Also closed to airlines' : 'Open to airlines now; closed to them'
  return `${head} ${period}${closureReason(reason)}.`
}

/** The daily hours of a closure by the airport's clock: `every night from 23:00 to 06:30 local time, until 30 Nov`; null when it has none. `moment`: epoch ms. */
export function hoursText(closure: Closure, timezone: string, moment: number, today = moment): string | null {
  const { closed_hours_utc: utc, closed_hours_local: local, start, end } = closure
  if (utc === null) return null
  const hours = local === null ? `daily at ${utc} UTC` : `${local} local time`
  const from = start === null || Date.parse(start) <= moment ? '' : `, from ${localDayText(start, timezone, today)} on`
  return `${hours}${from}${end === null ? '' : `, until ${localDayText(end, timezone, today)}`}`
}

/** A closure for a holiday with both days: `Nyepi: closed to airlines from 06:00 on Mon 8 Mar to 06:00 on Tue 9 Mar`. */
export const holidayClosureText = ({ name, start, end }: ClosedForHoliday, timezone: string): string =>
  `${name}: closed to airlines from ${spanText(start, end, timezone, 0)}`
