import { z } from 'zod'
import { Instant } from '../../config/answers.ts'
import { isoUtc } from '../../config/domain.ts'
import { localDayText } from '../../warehouse/publishing/gather/delays.ts'
import type { Closure } from '../../warehouse/publishing/read/delays.ts'
import { closedUntil, closureInForce, localHours, parseClosedHours } from '../../warehouse/tables/closure.ts'
import { clockOn } from './words.ts'

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
