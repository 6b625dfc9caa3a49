import { groupBy } from '../../config/group-by.ts'
import type { QueueStatus } from '../../config/vocabulary.ts'
import { clockOf } from '../statements/local-time.ts'

/** The fields of a forecast hour that a summary reads. */
export interface ForecastRow {
  local_time: string
  wait_minutes: number | null
  low: number | null
  high: number | null
  confidence: number | null
  status: QueueStatus
  open_probability?: number | null | undefined
  observed_minutes?: number | null | undefined
}

/** A forecast hour in which the queue is not closed. */
export interface OpenRow {
  local_time: string
  wait_minutes: number
  low: number
  high: number
}

/** An hour of a day: its local clock (05:00) and its wait. */
interface HourOfDay {
  hour: string
  wait_minutes: number
  low: number
  high: number
}

export interface DaySummary {
  date: string
  /** Clock ranges in which the queue is expected to be closed: `00:00 to 04:00`. */
  closed: string[]
  quietest: HourOfDay | null
  busiest: HourOfDay | null
}

/** Local hours that are recommended where nothing is known of opening hours: the others may be closed. */
export const DAYTIME = { first: 5, last: 21 } as const

const dayOf = ({ local_time }: Pick<ForecastRow, 'local_time'>) => local_time.slice(0, 10)
const hourOf = ({ local_time }: Pick<ForecastRow, 'local_time'>) => Number(local_time.slice(11, 13))

function openRow({ local_time, wait_minutes, low, high, status }: ForecastRow): OpenRow[] {
  if (status === 'closed' || wait_minutes === null || low === null || high === null) return []
  return [{ local_time, wait_minutes, low, high }]
}

const isByDay = (hour: Pick<ForecastRow, 'local_time'>) => hourOf(hour) >= DAYTIME.first && hourOf(hour) <= DAYTIME.last

/**
 * The hours that may be recommended: those expected to be open and, where that is not known, those of the day with a wait above 0,
 * because a closed checkpoint has no queue either.
 */
export const usableHours = (hours: readonly ForecastRow[]): OpenRow[] =>
  hours.filter((hour) => hour.status === 'open' || (isByDay(hour) && (hour.wait_minutes ?? 0) > 0)).flatMap(openRow)

const isProbable = (hour: ForecastRow | undefined) => typeof hour?.open_probability === 'number'

/**
 * Whether it is known if security is open in an hour, or the hour is one of the day. An hour after a closure is not, if it is
 * less than half open and nothing is known of the next: only the closure fades in it.
 */
export function knowsOpening(hour: ForecastRow, index: number, hours: readonly ForecastRow[]): boolean {
  if (hour.status !== 'unknown' || isByDay(hour)) return true
  return isProbable(hour) && ((hour.open_probability ?? 0) >= 0.5 || isProbable(hours[index + 1]))
}

/** Orders by wait, then by how long it may become. */
const byWait = (a: OpenRow, b: OpenRow) => a.wait_minutes - b.wait_minutes || a.high - b.high

/**
 * The hour with the shortest wait, of those with departures: those of the day, and those of the night in which anybody waits.
 */
export function quietestOf(rows: readonly OpenRow[]): OpenRow | null {
  const used = rows.filter((row) => row.wait_minutes > 0 || isByDay(row))
  return (used.length > 0 ? used : rows).toSorted(byWait)[0] ?? null
}

export const busiestOf = (rows: readonly OpenRow[]): OpenRow | null => rows.toSorted((a, b) => byWait(b, a))[0] ?? null

/** The clock at the end of the hour that begins at a local time: 24:00 after 23:00. */
const endOf = (row: Pick<ForecastRow, 'local_time'>) => `${String(hourOf(row) + 1).padStart(2, '0')}:00`

function closedRanges(hours: readonly ForecastRow[]): string[] {
  const ranges: string[] = []
  let first: ForecastRow | null = null
  for (const [index, hour] of hours.entries()) {
    if (hour.status !== 'closed') continue
    first ??= hour
    if (hours[index + 1]?.status === 'closed') continue
    ranges.push(`${clockOf(first.local_time)} to ${endOf(hour)}`)
    first = null
  }
  return ranges
}

function hourOfDay(row: OpenRow | null): HourOfDay | null {
  if (row === null) return null
  const { local_time, wait_minutes, low, high } = row
  return { hour: clockOf(local_time), wait_minutes, low, high }
}

/** Each local day of the hours with its quietest and busiest hour, and the hours in which the queue is closed. */
export function summariesOfDays(hours: readonly ForecastRow[]): DaySummary[] {
  return [...groupBy(hours, dayOf)].map(([date, hoursOfDay]) => {
    const usable = usableHours(hoursOfDay)
    return {
      date,
      closed: closedRanges(hoursOfDay),
      quietest: hourOfDay(quietestOf(usable)),
      busiest: hourOfDay(busiestOf(usable)),
    }
  })
}

/** A wait with its interval: `6 min (2 to 11)`. */
export const rangeText = ({ wait_minutes, low, high }: Omit<HourOfDay, 'hour'>) =>
  `${wait_minutes} min (${low} to ${high})`
