import Holidays from 'date-holidays'
import { airportDirectory } from '../../airports/directory.ts'
import { evidence } from '../evidence.ts'
import type { PublicHolidays } from '../public-holidays.ts'

const SOURCE = 'date-holidays 3.37.0 (npm), national public holidays'
const YEARS = [2026, 2027, 2028]

/** Lists the national public holidays of each country with scheduled airports that the calendar package knows. */
export function importPublicHolidays(): PublicHolidays[] {
  const countries = new Set(
    airportDirectory().all.flatMap((airport) => (airport.scheduled_service ? [airport.country] : [])),
  )
  return [...countries].toSorted().flatMap((country) => {
    const calendar = new Holidays(country)
    const found = YEARS.flatMap((year) => calendar.getHolidays(year, 'en') ?? [])
    const days = Object.fromEntries(
      found.flatMap(({ type, date, name }) => (type === 'public' ? [[date.slice(0, 10), name]] : [])),
    )
    return Object.keys(days).length === 0 ? [] : [{ country, days, ...evidence(SOURCE, '2026') }]
  })
}
