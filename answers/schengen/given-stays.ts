import { ParameterError, type ParameterFault } from '../../config/errors.ts'
import { type DayCheckInput, MAX_TRIP_DAYS } from './day-check.ts'
import type { Stay } from './itinerary.ts'
import { dayNumber, firstCountedDay, type Timeline } from './timeline.ts'

/** The days of a stay that count; a stay without a country is in the area. */
function countedDays({ first, last }: { first: number; last: number }, country: string | undefined) {
  const from = country === undefined ? Number.NEGATIVE_INFINITY : firstCountedDay(country)
  return from === null || from > last ? null : { first: Math.max(first, from), last }
}

/** @throws ParameterError for a trip that ends before it begins or is too long, and for several open trips */
export function staysOf(trips: DayCheckInput['trips'], day: number): Stay[] {
  const stays = trips.map(({ entry, exit, country }, index) => {
    const first = dayNumber(entry)
    const span = { first, last: exit ? dayNumber(exit) : Math.max(day, first) }
    return { stay: `trips[${index}]`, ...span, open: !exit, counted: countedDays(span, country) }
  })
  const faults: ParameterFault[] = []
  for (const { stay, first, last } of stays) {
    const parameter = `${stay}.exit`
    if (last < first) faults.push({ parameter, message: 'must not be before the entry' })
    else if (last - first > MAX_TRIP_DAYS)
      faults.push({ parameter, message: `must be within ${MAX_TRIP_DAYS} days of the entry` })
  }
  if (stays.filter(({ open }) => open).length > 1)
    faults.push({ parameter: 'trips', message: 'at most one stay can be without an exit' })
  if (faults.length > 0) throw new ParameterError(faults)
  return stays
}

/**
 * The planned stay; without a length it is the longest allowed, and one day where none is.
 * @throws ParameterError when the exit is before the entry or does not agree with the length
 */
export function plannedStay(
  { entry, exit, days, country }: NonNullable<DayCheckInput['planned']>,
  trips: Timeline,
): Stay {
  const first = dayNumber(entry)
  const length = exit === undefined ? days : dayNumber(exit) - first + 1
  const fault = (parameter: string, message: string) => ParameterError.of(`planned.${parameter}`, message)
  if (length !== undefined && length < 1) throw fault('exit', 'must not be before the entry')
  if (length !== undefined && length > MAX_TRIP_DAYS)
    throw fault('exit', `must be within ${MAX_TRIP_DAYS} days of the entry`)
  if (exit !== undefined && days !== undefined && days !== length)
    throw fault('days', `must be ${length}, as from entry to exit, or be left out`)
  const last = first + (length ?? Math.max(1, trips.longestStay(first))) - 1
  return { stay: 'planned', first, last, open: false, counted: countedDays({ first, last }, country) }
}

/** A stay without its days after `day`. */
export const upTo =
  (day: number) =>
  (stay: Stay): Stay => ({
    ...stay,
    last: Math.min(stay.last, day),
    counted:
      stay.counted && stay.counted.first <= day ? { ...stay.counted, last: Math.min(stay.counted.last, day) } : null,
  })
