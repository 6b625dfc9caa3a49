import { median } from '../../../forecasting/statistics/statistics.ts'
import { DAY_MS } from '../../vocabulary.ts'
import { evidence } from '../evidence.ts'
import type { PeakVolume } from '../peak-volumes.ts'
import { calendarOf } from './calendar.ts'
import type { SourceFolder } from './source-folder.ts'

const FILE = 'tsa-daily-national/tsa_daily_national.csv.gz'
const SOURCE =
  'https://www.tsa.gov/travel/passenger-volumes, people screened a day, 2019 and 2022 to 2025-06, computed by `npm run reference`'
/** Years without the collapse of traffic in the pandemic, neither in the days themselves nor in the weeks before. */
const YEARS = [2019, 2022, 2023, 2024, 2025]
/** The holidays of the peaks file, and their names in the calendar package. */
const HOLIDAYS: Record<string, string> = {
  'Thanksgiving Day': 'Thanksgiving Day',
  'Christmas Day': 'Christmas Day',
  'Memorial Day': 'Memorial Day',
  'Independence Day': 'Independence Day',
  'Labor Day': 'Labour Day',
  'Martin Luther King Jr. Day': 'Martin Luther King Jr. Day',
  "Washington's Birthday": "Washington's Birthday",
  'Columbus Day': 'Columbus Day',
}
/** From five days before the holiday to four days after it; beyond that the season dominates. */
const OFFSETS = Array.from({ length: 10 }, (_, index) => index - 5)
/** A day below this ratio is no peak. */
const MIN_RATIO = 1.05
const WEEKS_BEFORE = [2, 3, 4, 5, 6, 7, 8, 9]

const rounded = (value: number) => Math.round(value * 100) / 100

/** Days since 1970-01-01 of a US holiday in each year. */
function holidayDays(name: string): { year: number; day: number }[] {
  const calendar = calendarOf('US')
  return YEARS.flatMap((year) => {
    const found = calendar.getHolidays(year, 'en').find((holiday) => holiday.name === name && !holiday.substitute)
    return found ? [{ year, day: Date.parse(`${found.date.slice(0, 10)}T00:00:00Z`) / DAY_MS }] : []
  })
}

/** Computes how much more is screened around US holidays; only the days whose median ratio is that of a peak. */
export function importPeakVolumes(from: SourceFolder): PeakVolume[] {
  const passengers = new Map(
    from
      .history(FILE)
      .map((row) => [Date.parse(`${row['observed_local']}T00:00:00Z`) / DAY_MS, Number(row['passengers'])]),
  )
  return Object.entries(HOLIDAYS).flatMap(([holiday, name]) =>
    OFFSETS.flatMap((day_offset) => {
      const ratios = holidayDays(name).flatMap(({ year, day }) => {
        const screened = passengers.get(day + day_offset)
        const before = WEEKS_BEFORE.flatMap((weeks) => passengers.get(day + day_offset - 7 * weeks) ?? [])
        return screened && before.length === WEEKS_BEFORE.length ? [{ year, ratio: screened / median(before) }] : []
      })
      const volume_ratio = rounded(median(ratios.map(({ ratio }) => ratio)))
      if (ratios.length < 3 || volume_ratio < MIN_RATIO) return []
      return [
        {
          holiday,
          day_offset,
          volume_ratio,
          lowest: rounded(Math.min(...ratios.map(({ ratio }) => ratio))),
          highest: rounded(Math.max(...ratios.map(({ ratio }) => ratio))),
          years: ratios.map(({ year }) => year),
          ...evidence(SOURCE, '2025-06-30'),
        },
      ]
    }),
  )
}
