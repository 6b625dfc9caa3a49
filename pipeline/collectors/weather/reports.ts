import { ParseError } from '../../../config/errors.ts'
import { type Notice, notice } from '../../../warehouse/tables/notices.ts'
import { Fields, isRow, jsonRows } from '../../parsing/fields.ts'

/**
 * Reads a list of reports. An empty body is how aviationweather.gov says that nothing matched (HTTP 204).
 * @throws ParseError when the body is not a list, or no row of it names a station
 */
export function readReports<T>(body: string, read: (fields: Fields) => T[]): { readings: T[]; notices: Notice[] } {
  if (body.trim() === '') return { readings: [], notices: [] }
  const rows = jsonRows(body)
  if (rows.length > 0 && !rows.some((row) => isRow(row) && 'icaoId' in row)) {
    throw new ParseError('$', 'none of the rows names a station')
  }
  const notices: Notice[] = []
  const readings = rows.flatMap((row, index) => {
    if (isRow(row)) return read(new Fields(row, `$[${index}]`, notices))
    notices.push(notice('row_unreadable', 'warning', `$[${index}]`, 'is not a report; it is left out', row))
    return []
  })
  return { readings, notices }
}

/** Stations write the coming half hour on a report, and forecasts come before their hour; what is further ahead is a fault. */
const AHEAD_MS = 60 * 60_000

/** Whether a report is of a moment that the fetch cannot have seen; it is then noted, to be left out. */
export function inFuture(at: string, fields: Fields, fetched_at: string): boolean {
  if (Date.parse(at) <= Date.parse(fetched_at) + AHEAD_MS) return false
  fields.note('observed_in_future', 'warning', 'a report of over an hour after the fetch; it is left out', at)
  return true
}

/** The station of a report; null with a notice when it names none. */
export function stationOf(fields: Fields, iataOf: (id: string) => string | null): string | null {
  const icao = fields.text('icaoId')
  if (icao === null || !/^[A-Z0-9]{4}$/.test(icao)) {
    return fields.note('row_without_station', 'warning', 'icaoId is not an ICAO code; the report is left out', icao)
  }
  fields.iata = iataOf(icao)
  return icao
}
