import { getOrCreate } from '../../../config/once.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'

/** The nth weekday (0 Sunday) of a month (0 January) as a day since 1970; `nth` -1 is the last. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = Date.UTC(year, month, 1) / DAY_MS
  const ahead = (weekday - ((first + 4) % 7) + 7) % 7
  if (nth > 0) return first + ahead + 7 * (nth - 1)
  const last = Date.UTC(year, month + 1, 0) / DAY_MS
  return last - ((((last + 4) % 7) - weekday + 7) % 7)
}

const day = (year: number, month: number, date: number) => Date.UTC(year, month, date) / DAY_MS

/** Factors of demand on days around a holiday, by days from the holiday. */
const LONG_WEEKEND = { '-4': 1.06, '-3': 1.22, '-2': 0.95, 0: 1.12, 1: 1.1 }
const CHRISTMAS = { '-3': 1.15, '-2': 1.25, '-1': 1.2, 0: 0.7, 1: 1.12, 2: 1.2, 3: 1.18 }
const NEW_YEAR = { '-2': 1.1, '-1': 0.95, 0: 0.8, 1: 1.2, 2: 1.22 }
const THANKSGIVING = { '-6': 1.08, '-5': 1.1, '-2': 1.2, '-1': 1.38, 0: 0.6, 1: 0.85, 2: 1.15, 3: 1.4, 4: 1.2 }

function demandFactorsOf(year: number, country: string): Map<number, number> {
  const factors = new Map<number, number>()
  const around = (holiday: number, shape: Record<string, number>) => {
    for (const [offset, factor] of Object.entries(shape)) factors.set(holiday + Number(offset), factor)
  }
  around(day(year, 11, 25), CHRISTMAS)
  around(day(year, 0, 1), NEW_YEAR)
  if (country === 'US') {
    around(nthWeekday(year, 10, 4, 4), THANKSGIVING)
    around(nthWeekday(year, 4, 1, -1), LONG_WEEKEND)
    around(nthWeekday(year, 8, 1, 1), LONG_WEEKEND)
    around(nthWeekday(year, 1, 1, 3), LONG_WEEKEND)
    around(day(year, 6, 4), LONG_WEEKEND)
  }
  if (country === 'CA') {
    around(nthWeekday(year, 9, 1, 2), LONG_WEEKEND)
    around(nthWeekday(year, 8, 1, 1), LONG_WEEKEND)
    around(day(year, 6, 1), LONG_WEEKEND)
  }
  return factors
}

const cachedYears = new Map<string, Map<number, number>>()

/** The factor of demand on a local day (days since 1970) in a country: 1 on an ordinary day. */
export function holidayFactor(country: string, localDay: number): number {
  const year = new Date(localDay * DAY_MS).getUTCFullYear()
  const key = `${country}${year}`
  return getOrCreate(cachedYears, key, () => demandFactorsOf(year, country)).get(localDay) ?? 1
}
