import { existsSync } from 'node:fs'
import { installedIn } from '../../airports/build/installed.ts'
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

/** date-holidays (CC BY-SA 3.0), installed by `npm run reference`. */
const { load, read } = installedIn('reference')

/** Whether the package is there. */
export const isCalendarInstalled = (): boolean =>
  existsSync(projectFile('config', 'reference', 'build', 'node_modules', 'date-holidays'))

const calendarClass = once(() => load('date-holidays') as new (country?: string, region?: string) => Calendar)

/** The calendar of a country, or of a region of it. @throws Error where the package is not installed */
export const calendarOf = (country?: string, region?: string): Calendar =>
  region === undefined ? new (calendarClass())(country) : new (calendarClass())(country, region)

/** A data file of the package. */
export const readCalendarData = (name: string): string => read('date-holidays', 'data', name).toString('utf8')
