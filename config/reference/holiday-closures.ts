import { z } from 'zod'
import { airportDirectory } from '../airports/directory.ts'
import { instantsOfLocalTime } from '../time-zones/local-time.ts'
import { DAY_MS, Iata, isoUtc } from '../vocabulary.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'
import { holidaysAt } from './public-holidays.ts'

/** An end of a closure: a clock of the airport, and how many days after the holiday. */
const End = z.strictObject({ days_after: z.int(), time: z.iso.time({ precision: -1 }) })

/** An airport that closes to airlines on a public holiday, each year at about the same hours. */
export const HolidayClosure = z.strictObject({
  iata: Iata,
  holiday: z.string().describe('As the calendar of its country names it.'),
  name: z.string().describe('As people read it.'),
  from: End,
  until: End,
  ...Evidence.shape,
})

/** Written by hand; each page is about one year. */
export const HOLIDAY_CLOSURES = referenceFile('holiday-closures', HolidayClosure)

/** A closure for a holiday: its name, its ends (ISO 8601 UTC), and the page that states it. */
export interface ClosedForHoliday {
  name: string
  start: string
  end: string
  source: string
}

/** The closures of an airport for holidays that hold between two instants (epoch ms), as far as the calendar reaches. */
export function closedForHolidays(iata: string, from: number, until: number): ClosedForHoliday[] {
  const [row] = HOLIDAY_CLOSURES.where('iata', iata)
  const airport = airportDirectory().byIata.get(iata)
  if (row === undefined || airport === undefined) return []
  const { days = {} } = holidaysAt(airport.country, airport.region) ?? {}
  const instantOn = (day: string, { days_after, time }: z.infer<typeof End>) =>
    instantsOfLocalTime(airport.timezone, Date.parse(`${day}T${time}Z`) + days_after * DAY_MS)[0]!
  return Object.entries(days).flatMap(([day, holiday]) => {
    if (holiday !== row.holiday) return []
    const [start, end] = [instantOn(day, row.from), instantOn(day, row.until)]
    const { name, source } = row
    return start <= until && end > from ? [{ name, start: isoUtc(start), end: isoUtc(end), source }] : []
  })
}
