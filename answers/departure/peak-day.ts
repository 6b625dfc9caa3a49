import { WAIT_VOLUME_EXPONENT } from '../../config/reference/departure-steps.ts'
import { PEAK_VOLUMES, type PeakVolume } from '../../config/reference/peak-volumes.ts'
import { PEAKS } from '../../config/reference/peaks.ts'
import { holidaysAt } from '../../config/reference/public-holidays.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import { moonText } from '../statements/holiday-words.ts'

/** A day with more travellers than usual. */
export interface PeakDay {
  name: string
  /** Factor of the waits. */
  factor: number
  /** How the factor follows. */
  reason: string
  source: string
}

const dayNumber = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS

/** When a day is in words, from its offset to a holiday: the day before Thanksgiving Day. */
function dayInWords(holiday: string, offset: number): string {
  if (offset === 0) return holiday
  if (Math.abs(offset) === 1) return `the day ${offset < 0 ? 'before' : 'after'} ${holiday}`
  return `${Math.abs(offset)} days ${offset < 0 ? 'before' : 'after'} ${holiday}`
}

const rounded = (factor: number) => Math.round(factor * 100) / 100

/** The median ratio of the days before US holidays, for countries without one of their own. */
function medianEve(): { ratio: number; source: string } {
  const eves = PEAK_VOLUMES.rows().filter(({ day_offset }) => day_offset === -1)
  const ratios = eves.map(({ volume_ratio }) => volume_ratio).toSorted((a, b) => a - b)
  return { ratio: ratios[Math.floor(ratios.length / 2)] ?? 1, source: eves[0]?.source ?? '' }
}

/** Why a local day has more travellers than usual at an airport of a country and region (ISO 3166-2); null on other days. */
export function peakDay(country: string, localDay: string, region: string | null = null): PeakDay | null {
  return country === 'US' ? usPeak(localDay) : holidayPeak(country, localDay, region)
}

/** The public holiday of a country or region that a local day is; null: none is known. */
export function holidayOn(country: string, localDay: string, region: string | null): string | null {
  const name = holidaysAt(country, region)?.days[localDay]
  return name === undefined ? null : `${name}${moonText(name)}`
}

function usPeak(localDay: string): PeakDay | null {
  const day = dayNumber(localDay)
  const near = PEAKS.rows().flatMap(({ name, kind, start }) =>
    kind === 'federal holiday' && start !== null ? [{ holiday: name, offset: day - dayNumber(start) }] : [],
  )
  const found = PEAK_VOLUMES.rows()
    .filter((volume) => near.some(({ holiday, offset }) => holiday === volume.holiday && offset === volume.day_offset))
    .toSorted((a, b) => b.volume_ratio - a.volume_ratio)[0]
  return found ? measuredPeak(found) : expectedPeak(localDay)
}

function measuredPeak({ holiday, day_offset, volume_ratio, years, source }: PeakVolume): PeakDay {
  return {
    name: dayInWords(holiday, day_offset),
    factor: rounded(volume_ratio ** WAIT_VOLUME_EXPONENT),
    reason: `${volume_ratio} times the usual number of travellers on this day in ${years.join(', ')}; waits grow with its power of ${WAIT_VOLUME_EXPONENT}`,
    source,
  }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A day that the file of peaks expects to be among the busiest of its season, without a measured ratio. */
function expectedPeak(localDay: string): PeakDay | null {
  const weekday = WEEKDAYS[new Date(`${localDay}T00:00:00Z`).getUTCDay()] ?? ''
  const season = PEAKS.rows().find(({ kind, start, end, facts }) => {
    if (kind !== 'derived' || start === null || end === null || localDay < start || localDay > end) return false
    const named = [facts['likely_busiest'] ?? [], facts['likely_peak_day'] ?? []].flat()
    const weekdays = [facts['likely_busiest_weekdays'] ?? []].flat()
    return named.includes(localDay) || weekdays.includes(weekday)
  })
  if (!season) return null
  const ratio = Math.min(...PEAK_VOLUMES.rows().map(({ volume_ratio }) => volume_ratio))
  return {
    name: `one of the busiest days of ${season.name}`,
    factor: rounded(ratio ** WAIT_VOLUME_EXPONENT),
    reason: `no ratio is measured for this day: ${ratio}, that of the weakest measured peak, is taken; waits grow with its power of ${WAIT_VOLUME_EXPONENT}`,
    source: season.source,
  }
}

/** The day before or after a public holiday of the country or region. No ratio is measured outside the US, so a US one is taken. */
function holidayPeak(country: string, localDay: string, region: string | null): PeakDay | null {
  const holidays = holidaysAt(country, region)
  if (!holidays) return null
  const dayAt = (offset: number) => utcDayOf((dayNumber(localDay) + offset) * DAY_MS)
  const near = [1, -1].flatMap((days) => {
    const name = holidays.days[dayAt(days)]
    return name === undefined ? [] : [`${dayInWords(name, -days)}${moonText(name)}`]
  })
  const [name, other] = near
  // Travellers with both neighbouring days off are already away: the Sunday between a holiday and the Monday in lieu of it.
  if (name === undefined || other !== undefined || holidays.days[localDay] !== undefined) return null
  const { ratio, source } = medianEve()
  return {
    name,
    factor: rounded(ratio ** WAIT_VOLUME_EXPONENT),
    reason: `no ratio is measured in this country: ${ratio}, the median of the days before US holidays, is taken; waits grow with its power of ${WAIT_VOLUME_EXPONENT}`,
    source: `${holidays.source} ; ${source}`,
  }
}
