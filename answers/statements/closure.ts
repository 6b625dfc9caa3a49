import { z } from 'zod'
import { Instant } from '../../config/answers.ts'
import { DAY_MS, isoUtc } from '../../config/domain.ts'
import { CLOSED_WORDS, closureWords } from '../../config/reference/faa-words.ts'
import type { Closure } from '../../warehouse/publishing/read/delays.ts'
import { closedUntil, closureInForce, dateText, localHours, parseClosedHours } from '../../warehouse/tables/closure.ts'
import { clockOn } from './local-clock.ts'
import { clockOf, localDayAt, localTime } from './local-time.ts'

export const AirportClosure = z
  .strictObject({
    until: Instant.nullable().describe('When airlines may fly again; null: not known.'),
    end: z.string().describe('The same in words, like `until 06:30`.'),
    repeats: z.string().nullable().describe('Like `every night until 30 Nov`; null: closed round the clock.'),
  })
  .meta({ id: 'AirportClosure', description: 'What shuts airlines out of an airport now.' })
export type AirportClosure = z.output<typeof AirportClosure>

/** The closure that shuts airlines out at `now` (epoch ms): of several, the one that lasts longest. Null where they may fly. */
export function closedToAirlines(closures: readonly Closure[], timezone: string, now: number): AirportClosure | null {
  const inForce = closures
    .filter((closure) => closureInForce(closure, now))
    .map((closure) => ({ closure, until: closedUntil(closure, now) }))
  const [longest] = inForce.sort(
    (a, b) => (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY),
  )
  if (!longest) return null
  const { closure, until } = longest
  return {
    until: until === null ? null : isoUtc(until),
    end: until === null ? 'until when is not known' : `until ${clockOn(isoUtc(until), timezone, now)}`,
    repeats: repeatsText(closure, timezone, now),
  }
}

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

/** `until 06:30 (every night until 30 Nov)`. */
export const closurePeriod = ({ end, repeats }: AirportClosure): string =>
  repeats === null ? end : `${end} (${repeats})`

/** `closed to airlines until 06:30 (every night until 30 Nov)`. */
export const closureText = (closure: AirportClosure): string =>
  `closed to airlines${closure.until === null ? ',' : ''} ${closurePeriod(closure)}`

/** `every night until 30 Nov`; the hours themselves where they are not those of every day. Null where it has none. */
function repeatsText(
  { closed_hours_utc, closed_hours_local, end }: Closure,
  timezone: string,
  now: number,
): string | null {
  if (closed_hours_utc === null) return null
  const hours = parseClosedHours(closed_hours_utc)
  if (hours === null || hours.length !== 1 || hours[0]!.days !== null)
    return closed_hours_local ?? `${closed_hours_utc} UTC`
  // Until when it lasts today is said before.
  const every = localHours(closed_hours_utc, timezone, now)![0]!.days
  return end === null ? every : `${every} until ${localDayText(end, timezone)}`
}

/** The words of a closure in brackets, unless they say no more than that the airport is closed. */
function closureReason(reason: string | null): string {
  const words = reason === null ? CLOSED_WORDS : closureWords(reason)
  return words === CLOSED_WORDS ? '' : ` (${words})`
}

/** The local day of an instant: `30 Nov`. */
const localDayText = (instant: string, timezone: string): string =>
  dateText(Date.parse(localDayAt(Date.parse(instant), timezone)))

/** 2026-11-20T23:30:00Z as `18:30 on 20 Nov`. */
const clockAndDay = (instant: string, timezone: string): string =>
  `${clockOf(localTime(Date.parse(instant), timezone))} on ${localDayText(instant, timezone)}`

/** The same with its zone: `18:30 on 20 Nov local time`. */
const timeText = (instant: string, timezone: string) => `${clockAndDay(instant, timezone)} local time`

/**
 * A closure as a sentence of what holds at an instant (epoch ms), with times of the airport's zone. The text of the notice, which may
 * be long, stands in the closure itself unless airlines are shut out.
 */
export function closureSentence(closure: Closure, timezone: string, at: number): string {
  const { reason, start, end, closed_to_airlines } = closure
  if (closed_to_airlines === false) return 'A closure is listed for other aircraft; airlines are not shut out.'
  if (closed_to_airlines === null) return 'A closure is listed; whether it shuts out airlines is not clear.'
  const hours = hoursText(closure, timezone, at)
  const until = (instant: string | null) => (instant === null ? '' : ` until ${timeText(instant, timezone)}`)
  if (closureInForce(closure, at)) {
    if (hours === null)
      return `Closed to airlines${end === null ? '; until when is not known' : until(end)}${closureReason(reason)}.`
    const last = closedUntil(closure, at)
    const now = last === null ? '' : ` until ${clockAndDay(isoUtc(last), timezone)}`
    return `Closed to airlines${now}: ${hours}${closureReason(reason)}.`
  }
  const from = start === null ? '' : `from ${(end === null ? timeText : clockAndDay)(start, timezone)}`
  const period = hours ?? `${from}${until(end)}`.trim()
  return `Open to airlines now; closed to them ${period}${closureReason(reason)}.`
}

/** The daily hours of a closure by the airport's clock: `every night from 23:00 to 06:30 local time, until 30 Nov`; null when it has none. `at`: epoch ms. */
export function hoursText(closure: Closure, timezone: string, at: number): string | null {
  const { closed_hours_utc: utc, closed_hours_local: local, start, end } = closure
  if (utc === null) return null
  const hours = local === null ? `daily at ${utc} UTC` : `${local} local time`
  const from = start === null || Date.parse(start) <= at ? '' : `, from ${localDayText(start, timezone)} on`
  return `${hours}${from}${end === null ? '' : `, until ${localDayText(end, timezone)}`}`
}
