import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { once } from '../../once.ts'
import { projectFile } from '../../paths.ts'

/** A holiday as date-holidays has it: instants of the place, and `date` as `2026-12-25 00:00:00` in its local time. */
export interface Holiday {
  date: string
  start: Date
  end: Date
  name: string
  type: 'public' | 'bank' | 'school' | 'optional' | 'observance'
  rule: string
  substitute?: boolean
  note?: string
}

/** The part of date-holidays that is used here. */
interface Calendar {
  getHolidays(year: number, language: string): Holiday[]
  /** Languages of a country, such as `de` or `de-at`. */
  getLanguages(): string[]
  /** Names of the regions of a country by the second part of their ISO 3166-2 code; undefined where it has none. */
  getStates(country: string): Record<string, string> | undefined
}

/** date-holidays (CC BY-SA 3.0) is installed in this folder of the sources by `npm run reference`, never with the project: it is large. */
const INSTALLED = projectFile('config', 'reference', 'build', 'node_modules', 'date-holidays')

/** Whether the package is there. */
export const isCalendarInstalled = (): boolean => existsSync(INSTALLED)

const load = once(
  () => createRequire(import.meta.url)(INSTALLED) as new (country?: string, region?: string) => Calendar,
)

/** The calendar of a country, or of a region of it. @throws Error where the package is not installed */
export const calendarOf = (country?: string, region?: string): Calendar =>
  region === undefined ? new (load())(country) : new (load())(country, region)

/** A data file of the package. */
export const readCalendarData = (name: string): string => readFileSync(`${INSTALLED}/data/${name}`, 'utf8')
