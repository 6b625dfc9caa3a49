import Holidays from 'date-holidays'
import { airportDirectory } from '../../airports/directory.ts'
import { evidence } from '../evidence.ts'
import { HOLIDAY_YEARS, type HolidayDays } from '../holiday-days.ts'
import type { PublicHolidays } from '../public-holidays.ts'

const SOURCE = 'date-holidays 3.37.0 (npm), national public holidays'

/** Lists the days of the national public holidays of each country with airports that the calendar package knows. */
export function importHolidayDays(): HolidayDays[] {
  const countries = new Set(airportDirectory().all.map(({ country }) => country))
  const { first, last } = HOLIDAY_YEARS
  const years = Array.from({ length: last - first + 1 }, (_, k) => first + k)
  return [...countries].toSorted().flatMap((country) => {
    const calendar = new Holidays(country)
    const listed = years.flatMap((year) => {
      const found = (calendar.getHolidays(year) ?? []).filter(({ type }) => type === 'public')
      const days = new Set(found.map(({ date }) => date.slice(0, 10)))
      // A holiday of a lunar calendar may begin on the last day of the year before.
      const own = [...days].filter((day) => day.startsWith(`${year}-`)).toSorted()
      return own.length === 0 ? [] : [[String(year), own.map((day) => day.slice(5).replace('-', '')).join(' ')]]
    })
    return listed.length === 0 ? [] : [{ country, years: Object.fromEntries(listed), ...evidence(SOURCE, '2026') }]
  })
}

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
