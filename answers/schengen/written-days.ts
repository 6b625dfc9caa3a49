import { ParameterError, type ParameterFault } from '../../config/errors.ts'
import { LocalDate } from '../../config/vocabulary.ts'
import { dayHint, dayOfWord, pastDayOfWord } from '../statements/day-words.ts'
import { NO_CALENDAR } from '../statements/holiday-words.ts'
import { type DayCheckInput, WINDOW_DAYS } from './day-check.ts'

const FIRST_DATE = '1990-01-01'
const LAST_DATE = '2099-12-31'
/** A day without a year is looked for in the year before today and the one after it. One day more would have yesterday twice. */
const YEAR_DAYS = 365

/**
 * A request with dates (YYYY-MM-DD) in place of words like `today`, `last Friday` and `3 May 2026`.
 * @throws ParameterError that names each text that is no date, or that may be a past day or one to come: stays are both
 */
export function withDates(input: DayCheckInput, today: string): DayCheckInput {
  const faults: ParameterFault[] = []
  const read = <Text extends string | null | undefined>(parameter: string, text: Text, isAhead = false) => {
    if (typeof text !== 'string') return text
    const { date, fault } = dateOf(text, today, isAhead)
    if (fault !== null) faults.push({ parameter, message: fault })
    return date
  }
  const { trips, on, planned } = input
  const dated = {
    ...input,
    trips: trips.map((trip, index) => ({
      ...trip,
      entry: read(`trips[${index}].entry`, trip.entry),
      exit: read(`trips[${index}].exit`, trip.exit),
    })),
    on: read('on', on),
    planned: planned && {
      ...planned,
      entry: read('planned.entry', planned.entry, true),
      exit: read('planned.exit', planned.exit, true),
    },
  }
  if (faults.length > 0) throw new ParameterError(faults)
  if (planned && dated.planned) dated.planned.entry = begunEntry(dated.planned, planned.entry, today)
  return dated
}

/** The entry of a planned stay, which may have begun: on 31 December "Dec 30" before an exit on "Jan 20" is yesterday. */
function begunEntry(
  { entry, exit = entry }: { entry: string; exit?: string | undefined },
  written: string,
  today: string,
) {
  const past = entry > exit ? pastDayOfWord(written, today, NO_CALENDAR, WINDOW_DAYS) : null
  return past !== null && past <= exit ? past : entry
}

/** The hour of a day, which does not count: programs write days as instants. */
const HOUR_OF_DAY = /(?<=^\d{4}-\d{2}-\d{2})T\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?$/

function dateOf(written: string, today: string, isAhead: boolean): { date: string; fault: string | null } {
  const text = written.replace(HOUR_OF_DAY, '')
  // Nearly all are dates, so no word is searched for.
  const isDate = LocalDate.safeParse(text).success
  const date = isDate ? text : dayOfWord(text, today)
  if (date === null) return { date: text, fault: `must be a date that exists, YYYY-MM-DD${dayHint(text, today)}` }
  const past = isDate || isAhead ? date : pastDayOfWord(text, today, NO_CALENDAR, YEAR_DAYS)
  if (past !== null && past !== date) return { date, fault: `may be ${past} or ${date}: write the date` }
  const isAccepted = FIRST_DATE <= date && date <= LAST_DATE
  return { date, fault: isAccepted ? null : `must be from ${FIRST_DATE} to ${LAST_DATE}` }
}
