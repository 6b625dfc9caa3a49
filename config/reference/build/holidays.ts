import { z } from 'zod'
import { airportDirectory } from '../../airports/directory.ts'
import { groupBy } from '../../group-by.ts'
import { getOrCreate, once } from '../../once.ts'
import { DAY_MS, utcDayOf } from '../../vocabulary.ts'
import { evidence } from '../evidence.ts'
import { HOLIDAY_CORRECTIONS, type HolidayCorrection } from '../holiday-corrections.ts'
import { HOLIDAY_YEARS, type HolidayDays } from '../holiday-days.ts'
import type { PublicHolidays } from '../public-holidays.ts'
import { calendarOf, type Holiday, readCalendarData } from './calendar.ts'

const sourceOf = (which: string) =>
  `date-holidays 3.37.0 (npm), ${which} public holidays, with holiday-corrections.json`

const dayAfter = (day: string, days: number) => utcDayOf(Date.parse(day) + days * DAY_MS)

/** Words in the note of a day off for some people only. */
const FOR_SOME = /\b(women|youth|children|military|muslim|islamic faith)/i

type Day = readonly [day: string, name: string]

/** The hour that a clock loses on a day of a holiday makes it no shorter. */
const LOST_HOUR_MS = 3_600_000

/** Days by country, region and year. The package takes a tenth of a second for a year. */
const PACKAGE_DAYS = new Map<string, Holiday[]>()
const packageDays = (country: string, year: number, region: string | undefined) =>
  calendarOf(country, region).getHolidays(year, 'en')

/** The days of a type (by default public holidays) of a country, or of a region of it, as date-holidays lists them: every whole day of each. */
export function listedDays(
  country: string,
  years: readonly number[],
  region?: string,
  wanted: Holiday['type'] = 'public',
): Day[] {
  return years.flatMap((year) =>
    getOrCreate(PACKAGE_DAYS, `${country} ${region ?? ''} ${year}`, () => packageDays(country, year, region)).flatMap(
      ({ type, date, name, start, end, note }): Day[] => {
        if (type !== wanted || FOR_SOME.test(note ?? '')) return []
        const whole = Math.floor((end.getTime() - start.getTime() + LOST_HOUR_MS) / DAY_MS)
        return Array.from({ length: whole }, (_, offset) => [dayAfter(date.slice(0, 10), offset), name])
      },
    ),
  )
}

/** Countries with US spelling, which the calendar package never uses. */
const WITH_US_SPELLING = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP'])

/**
 * The days off of a country by name, with the corrections, in the order of the calendar. Half a day is no day off, and neither is a
 * day for some people only.
 */
export function daysOff(country: string, years: readonly number[], region?: string): Map<string, string> {
  const days = HOLIDAY_CORRECTIONS.where('country', country).reduce(
    (listed: readonly Day[], correction) => corrected(listed, correction, years),
    listedDays(country, years, region),
  )
  const spelt = (name: string) => (WITH_US_SPELLING.has(country) ? name.replace('Labour', 'Labor') : name)
  const named = new Map<string, string>()
  for (const [day, name] of days.toSorted(([a], [b]) => a.localeCompare(b)))
    if (!named.has(day)) named.set(day, spelt(name))
  return named
}

/** The days after one correction. */
export function corrected(days: readonly Day[], correction: HolidayCorrection, years: readonly number[]): Day[] {
  const { name, years: within } = correction
  const isWithin = (year: number) => year >= within[0] && year <= within[1]
  if (correction.action === 'add')
    return [
      ...days,
      ...years.filter(isWithin).flatMap((year) => datesOf(correction.days, year).map((day): Day => [day, name])),
    ]
  if (correction.action === 'extend') {
    const own = new Set(
      days.flatMap(([day, holiday]) => (holiday === name && isWithin(Number(day.slice(0, 4))) ? [day] : [])),
    )
    const last = [...own].filter((day) => !own.has(dayAfter(day, 1)))
    const further = last.flatMap((day) =>
      Array.from({ length: correction.by }, (_, offset) => dayAfter(day, offset + 1)),
    )
    return [...days, ...further.map((day): Day => [day, name])]
  }
  return days.flatMap((entry): Day[] => {
    const [day, holiday] = entry
    if (holiday !== name || !isWithin(Number(day.slice(0, 4)))) return [entry]
    if (correction.action === 'rename') return [[day, correction.to]]
    return correction.action === 'move' ? [[dayAfter(day, correction.by), name]] : []
  })
}

/** The days of a year: `12-03`, or `10-04..10-07`. */
function datesOf(text: string, year: number): string[] {
  const [first = '', last = first] = text.split('..')
  const days: string[] = []
  for (let day = `${year}-${first}`; day <= `${year}-${last}`; day = dayAfter(day, 1)) days.push(day)
  return days
}

/** Lists the days of the national public holidays of each country with airports that the calendar package knows. */
export function importHolidayDays(): HolidayDays[] {
  const countries = new Set(airportDirectory().all.map(({ country }) => country))
  const { first, last } = HOLIDAY_YEARS
  const years = Array.from({ length: last - first + 1 }, (_, k) => first + k)
  return [...countries].toSorted().flatMap((country) => {
    const days = [...daysOff(country, years).keys()]
    const listed = years.flatMap((year) => {
      const own = days.filter((day) => day.startsWith(`${year}-`))
      return own.length === 0 ? [] : [[String(year), own.map((day) => day.slice(5).replace('-', '')).join(' ')]]
    })
    return listed.length === 0
      ? []
      : [{ country, years: Object.fromEntries(listed), ...evidence(sourceOf('national'), '2026') }]
  })
}

const YEARS = [2026, 2027, 2028]

/** Lists the public holidays of each country and region with scheduled airports that the calendar package knows. */
export function importPublicHolidays(): PublicHolidays[] {
  const served = airportDirectory().all.filter(({ scheduled_service }) => scheduled_service)
  return [...groupBy(served, ({ country }) => country)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([country, airports]) => {
      const days = daysOff(country, YEARS)
      if (days.size === 0) return []
      const regions = regionalDays(country, new Set(airports.flatMap(({ region }) => region ?? [])), days)
      const regionField = Object.keys(regions).length === 0 ? {} : { regions }
      const school = listedDays(country, YEARS, undefined, 'school').filter(([day]) => !days.has(day))
      const schoolField = school.length === 0 ? {} : { school_days: Object.fromEntries(school) }
      const otherDays = otherDaysOf(country, days)
      const ofRegions = Object.values(regions).flatMap((named) => Object.values(named))
      const known = new Set([...EVERYWHERE, ...days.values(), ...ofRegions, ...Object.keys(otherDays)])
      const names = nativeNames(country, known, Object.keys(regions))
      return [
        {
          country,
          days: Object.fromEntries(days),
          ...regionField,
          ...schoolField,
          ...(Object.keys(otherDays).length === 0 ? {} : { other_days: otherDays }),
          ...(Object.keys(names).length === 0 ? {} : { names }),
          ...evidence(sourceOf('national and regional'), '2026'),
        },
      ]
    })
}

/** Western Easter Sunday: the calendar of most countries has only the days off around it. */
const EASTER = once(() =>
  listedDays('US', YEARS, undefined, 'observance').filter(([, name]) => name === 'Easter Sunday'),
)

/** Regions whose own days with a name that are no days off count as their country's: offices of Texas stay open with fewer people, also on Good Friday. */
const OBSERVING_REGIONS: Readonly<Record<string, string>> = { US: 'TX' }

/** The days of a country with a name that are no days off, by name: of banks and schools, and those that are only observed. */
function otherDaysOf(country: string, days: ReadonlyMap<string, string>): Record<string, string> {
  const listed = (['bank', 'school', 'optional', 'observance'] as const).flatMap((type) =>
    listedDays(country, YEARS, undefined, type),
  )
  const region = OBSERVING_REGIONS[country]
  if (region !== undefined) listed.push(...listedDays(country, YEARS, region, 'observance'))
  const isAfterEaster = ([day]: Day) =>
    days.get(dayAfter(day, 1)) === 'Easter Monday' || days.get(dayAfter(day, -2)) === 'Good Friday'
  const easter = EASTER().filter(isAfterEaster)
  const byName = new Map<string, Set<string>>()
  for (const [day, name] of [...listed, ...easter])
    if (days.get(day) !== name) getOrCreate(byName, name, () => new Set()).add(day)
  return Object.fromEntries([...byName].map(([name, found]) => [name, [...found].toSorted().join(' ')]))
}

/** Days that are the same everywhere, of which a calendar may lack some. */
const EVERYWHERE = ['Christmas Eve', 'Christmas Day', 'Boxing Day', "New Year's Eve", "New Year's Day"]

const PackageNames = z.record(z.string(), z.object({ name: z.record(z.string(), z.string()) }))

/** Names of holidays in all languages that the package has for several countries. */
const COMMON_NAMES = once(() => {
  const text = readCalendarData('holidays.json')
  const { names } = z.object({ names: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text))
  const { substitutes: _, ...named } = names
  return Object.values(PackageNames.parse(named)).map(({ name }) => name)
})

/** By the English name of a country's days, those of its regions included, their names in its languages. */
function nativeNames(country: string, known: ReadonlySet<string>, regions: readonly string[]): Record<string, string> {
  const languages = calendarOf(country)
    .getLanguages()
    .filter((language) => !language.startsWith('en'))
  const renamed = new Map(
    HOLIDAY_CORRECTIONS.where('country', country).flatMap((row) =>
      row.action === 'rename' ? [[row.name, row.to]] : [],
    ),
  )
  const names = new Map<string, Set<string>>()
  const add = (english: string | undefined, native: string | undefined) => {
    const name = renamed.get(english ?? '') ?? english
    if (name === undefined || native === undefined || native === name || !known.has(name)) return
    getOrCreate(names, name, () => new Set()).add(native)
  }
  const places = [undefined, ...regions.map((region) => region.slice(country.length + 1))]
  for (const language of languages) {
    for (const place of places) {
      const namesIn = (spoken: string) => packageNames(country, place, spoken)
      const english = namesIn('en')
      for (const [day, native] of namesIn(language)) if (!SUBSTITUTE.test(native)) add(english.get(day), native)
    }
    for (const name of COMMON_NAMES()) add(name['en'], name[language] ?? name[language.split('-')[0]!])
  }
  return Object.fromEntries([...names].map(([english, native]) => [english, [...native].join('|')]))
}

/** A day in lieu of a holiday, in the languages that mark it in brackets. */
const SUBSTITUTE = /\(.*\)$/

/** The names of a place's holidays in a language, by day and rule. */
function packageNames(country: string, place: string | undefined, language: string): Map<string, string> {
  const calendar = calendarOf(country, place)
  const holidays = YEARS.flatMap((year) => calendar.getHolidays(year, language))
  return new Map(holidays.map(({ date, rule, name }) => [`${date} ${rule}`, name]))
}

/** Regions whose code in the directory is OurAirports' own, or of ISO 3166-2 alone, by the code that the calendar package has. */
const ISO_REGIONS: Readonly<Record<string, string>> = {
  'DE-BR': 'DE-BB',
  'IN-MM': 'IN-MH',
  'RU-CHI': 'RU-ZAB',
  'RU-MO': 'RU-MR',
  'RU-SE': 'RU-NO',
}

/** The days of regions of the directory that their country does not have. In the US a name of the whole country is that of its own day alone: Georgia keeps Washington's Birthday at Christmas. */
function regionalDays(country: string, regions: ReadonlySet<string>, national: ReadonlyMap<string, string>) {
  const states = calendarOf().getStates(country) ?? {}
  const names = new Set(country === 'US' ? national.values() : [])
  const entries = [...regions].toSorted().flatMap((region) => {
    const state = (ISO_REGIONS[region] ?? region).slice(country.length + 1)
    if (!region.startsWith(`${country}-`) || states[state] === undefined) return []
    const own = [...daysOff(country, YEARS, state)].filter(([day, name]) => !national.has(day) && !names.has(name))
    return own.length === 0 ? [] : [[region, Object.fromEntries(own)] as const]
  })
  return Object.fromEntries(entries)
}
