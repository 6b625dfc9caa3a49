import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { nullableMinutes, statistic } from '../../config/answer-schemas.ts'
import { groupBy } from '../../config/group-by.ts'
import { getOrCreate } from '../../config/once.ts'
import { closedForHolidays } from '../../config/reference/holiday-closures.ts'
import { holidaysAt } from '../../config/reference/public-holidays.ts'
import { schoolDayAt } from '../../config/reference/school-holidays.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, LocalDate, utcDayOf } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type CsvRow, defineQuery, type QueryContext } from '../questions/define.ts'
import { findAirport } from '../questions/find-airport.ts'
import { minutesFromTenths } from '../questions/forecast-hour.ts'
import { medianOf } from '../questions/history-summary.ts'
import { iata, notice, simulated } from '../questions/shared-fields.ts'
import { holidayClosureText } from '../statements/closure.ts'
import { localDayAt } from '../statements/local-time.ts'
import { holidayOn, peakDay } from './peak-day.ts'
import { nation } from './trip.ts'

/** TSA publishes how many people were screened in the country a day. */
const COUNTED_COUNTRY = 'US' as const
/** Days that the answer looks ahead. */
const DAYS = 31
/** A day with fewer observed hours has no mean. */
const MIN_HOURS = 8
/** With fewer such days in the past, the answer says nothing about them. */
const MIN_PAST_DAYS = 2

const Day = z
  .strictObject({
    date: LocalDate,
    expected: z
      .enum(['busier', 'holiday', 'as_usual', 'not_known'])
      .describe(
        'busier: more travellers than usual; holiday: a public holiday itself, of which nobody has counted how busy it is; not_known: no calendar of the country is known for that day.',
      ),
    why: z
      .string()
      .nullable()
      .describe('The holiday, or the day before or after it, or the season; null: nothing special.'),
    wait_factor: statistic
      .nullable()
      .describe('How many times the usual waits are expected; null: not known, or as usual.'),
    reason: z.string().nullable().describe('How the factor follows.'),
    source: z.string().nullable().describe('Pages behind `why` and `wait_factor`.'),
    usual_minutes: nullableMinutes.describe(
      'Median of the mean waits of this weekday in the last 90 days at this airport; null: too little was observed.',
    ),
    school_holiday: z
      .string()
      .nullable()
      .describe(
        'School holidays of the region of the airport, or a day on which schools of its country are closed; null: none, or not known (see `school_holidays`).',
      ),
    screened_last_year: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'People screened in the whole country on the same weekday a year before (364 days), from imported counts; null: not known.',
      ),
  })
  .meta({ id: 'BusyDay' })

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    days: z.array(Day).describe(`The next ${DAYS} local days, today included.`),
    past_factor: statistic
      .nullable()
      .describe(
        'How many times the usual waits were on days like the busier ones in the last 90 days here; null: fewer than two were observed.',
      ),
    school_holidays: z
      .enum(['known', 'some_days', 'not_known'])
      .describe(
        'known: all school holidays of these days are named; some_days: single days on which schools are closed are named, others are not known; not_known: no public source is known here.',
      ),
    school_holidays_source: z.string().nullable(),
    screened_country: z
      .literal(COUNTED_COUNTRY)
      .nullable()
      .describe(
        'The country whose people screened a day are public; null: of the country of this airport they are not.',
      ),
    screened_factor: statistic
      .nullable()
      .describe(
        'People screened in the country on the newest 28 known days as a multiple of the same weekdays a year before; null: not known.',
      ),
    notice,
    simulated,
  })
  .meta({ id: 'BusyDays' })
export type BusyDays = z.output<typeof output>

export const getBusyDays = defineQuery({
  name: 'getBusyDays',
  rest: {
    summary: 'The busy days ahead at an airport',
    description: `The next ${DAYS} local days with what makes each busier than usual, and how much: public holidays of the country and the days around them, US seasons, and what such days did at this airport in the last 90 days. Factors outside the US are taken from US days and say so. School holidays by region in France, single days without school in a few other countries, else not known; people screened in the US on the same weekday a year before where their count was imported. Any tier.`,
    method: 'GET',
    path: '/airports/:iata/busy-days',
    csv: {
      columns: [
        'airport',
        'date',
        'expected',
        'why',
        'wait_factor',
        'usual_minutes',
        'source',
        'school_holiday',
        'screened_last_year',
      ],
      rows: ({ airport, days }: BusyDays): CsvRow[] => days.map((day) => ({ airport, ...day })),
    },
  },
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { iata: code, timezone } = airport
    const today = Date.parse(`${localDayAt(context.now, timezone)}T00:00:00Z`)
    const past = pastOf(airport, context.snapshot)
    const country = nation(airport)
    const screened = context.snapshot.screened(country)
    const dates = Array.from({ length: DAYS }, (_, ahead) => utcDayOf(today + ahead * DAY_MS))
    const schools = dates.map((date) => schoolDayAt(country, airport.region, date))
    return {
      airport: code,
      timezone,
      days: dates.map((date, ahead) => ({
        ...expectedOn(airport, date),
        usual_minutes: past.usual.get(weekdayOf(date)) ?? null,
        school_holiday: schools[ahead]!.name,
        screened_last_year: screened[yearBefore(date)] ?? null,
      })),
      past_factor: past.factor,
      // The calendar may end within the requested days.
      school_holidays: COVERAGES.find((known) => schools.some(({ coverage }) => coverage === known))!,
      school_holidays_source: schools.find(({ source }) => source !== null)?.source ?? null,
      screened_country: country === COUNTED_COUNTRY ? COUNTED_COUNTRY : null,
      screened_factor: screenedFactor(screened),
      simulated: context.snapshot.simulated && past.usual.size > 0,
    }
  },
})

/** Ordered from least to most knowledge. */
const COVERAGES = ['not_known', 'some_days', 'known'] as const

/** The same weekday a year before. */
const yearBefore = (date: string) => utcDayOf(Date.parse(`${date}T00:00:00Z`) - 364 * DAY_MS)

const SCREENED_DAYS = 28

/** People screened on the newest days as a multiple of those a year before; null if a day of either is not known. */
function screenedFactor(screened: Readonly<Record<string, number>>): number | null {
  const newest = Object.keys(screened).sort().slice(-SCREENED_DAYS)
  const before = newest.map((date) => screened[yearBefore(date)])
  if (newest.length < SCREENED_DAYS || before.includes(undefined)) return null
  const sum = (counts: readonly (number | undefined)[]) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  return Math.round((1000 * sum(newest.map((date) => screened[date]))) / sum(before)) / 1000
}

const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/** The closure for a holiday that holds at some time of a local day. */
function closedOn({ iata, timezone }: Airport, date: string) {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`)
  // Every zone has its day within these three.
  const near = closedForHolidays(iata, utcMidnight - DAY_MS, utcMidnight + 2 * DAY_MS)
  const dayOf = (instant: string) => localDayAt(Date.parse(instant), timezone)
  return near.find(({ start, end }) => dayOf(start) <= date && date <= dayOf(end))
}

/** Facts about a local day from the calendar. */
function expectedOn(airport: Airport, date: string) {
  const country = nation(airport)
  const closed = closedOn(airport, date)
  if (closed)
    return {
      date,
      expected: 'holiday' as const,
      why: holidayClosureText(closed, airport.timezone),
      wait_factor: null,
      reason: null,
      source: closed.source,
    }
  const peak = peakDay(country, date, airport.region)
  if (peak)
    return {
      date,
      expected: 'busier' as const,
      why: peak.name,
      wait_factor: peak.factor,
      reason: peak.reason,
      source: peak.source,
    }
  const nothing = { date, why: null, wait_factor: null, reason: null, source: null }
  const calendar = holidaysAt(country, airport.region)
  const isCovered = calendar !== null && Object.keys(calendar.days).some((day) => day.startsWith(date.slice(0, 4)))
  if (!isCovered) return { ...nothing, expected: 'not_known' as const }
  const holiday = holidayOn(country, date, airport.region)
  if (holiday === null) return { ...nothing, expected: 'as_usual' as const }
  return { ...nothing, expected: 'holiday' as const, why: holiday, source: calendar.source }
}

interface Past {
  /** Median of the mean waits by weekday (0: Sunday), in minutes. */
  usual: ReadonlyMap<number, number>
  factor: number | null
}

const pasts = new WeakMap<Snapshot, Map<string, Past>>()

/** The weekdays and busier days of the last 90 days, computed once per snapshot. */
const pastOf = (airport: Airport, snapshot: QueryContext['snapshot']): Past =>
  getOrCreate(
    getOrCreate(pasts, snapshot, () => new Map<string, Past>()),
    airport.iata,
    () => pastFrom(airport, snapshot),
  )

function pastFrom(airport: Airport, snapshot: QueryContext['snapshot']): Past {
  const history = snapshot.history(airport.iata)
  if (!history) return { usual: new Map(), factor: null }
  const starts = Float64Array.from(history.hour, (hour) => hour * HOUR_MS)
  const local = localClock(airport.timezone, starts)
  const rowsByDay = [...groupBy(history.hour.keys(), (index) => local.day[index]!)]
    .filter(([, hours]) => hours.length >= MIN_HOURS)
    .map(([day, hours]) => {
      const date = utcDayOf(day * DAY_MS)
      const mean = hours.reduce((sum, index) => sum + minutesFromTenths(history.mean[index]!), 0) / hours.length
      return { weekday: weekdayOf(date), mean, isBusier: peakDay(nation(airport), date, airport.region) !== null }
    })
  const plain = groupBy(
    rowsByDay.filter(({ isBusier }) => !isBusier),
    ({ weekday }) => weekday,
  )
  const usual = new Map([...plain].map(([weekday, days]) => [weekday, medianOf(days.map(({ mean }) => mean))]))
  const ratios = rowsByDay.flatMap(({ weekday, mean, isBusier }) => {
    const plainMean = usual.get(weekday) ?? 0
    return isBusier && plainMean > 0 ? [mean / plainMean] : []
  })
  const factor = ratios.length < MIN_PAST_DAYS ? null : Math.round(100 * median(ratios)) / 100
  return { usual, factor }
}
