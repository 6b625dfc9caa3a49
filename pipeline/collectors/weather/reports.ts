import { ParseError } from '../../../config/errors.ts'
import { isObject } from '../../../config/json-object.ts'
import { type Notice, notice } from '../../../warehouse/tables/notices.ts'
import type { RequestContext, SourceRequest } from '../../parsing/collector.ts'
import { FieldReader } from '../../parsing/fields.ts'
import { readJson, rowsAt } from '../../parsing/json.ts'
import { jsonRequest } from '../../parsing/requests.ts'

/** Well under the 400 rows after which aviationweather.gov silently cuts an answer. */
const STATIONS_PER_REQUEST = 100

/** Requests for the airports that have an ICAO code, in batches. */
export function stationRequests({ source, airports, icaoOf }: RequestContext): SourceRequest[] {
  const stations = [...new Set(airports.flatMap((iata) => icaoOf(iata) ?? []))]
  const batches = Array.from({ length: Math.ceil(stations.length / STATIONS_PER_REQUEST) }, (_, index) =>
    stations.slice(index * STATIONS_PER_REQUEST, (index + 1) * STATIONS_PER_REQUEST),
  )
  return batches.map((batch) => jsonRequest(`${source.url}?ids=${batch.join(',')}&format=json`, null))
}

/**
 * Reads a list of reports. aviationweather.gov answers with an empty body when nothing matched (HTTP 204).
 * @throws ParseError when the body is not a list, or no row of it names a station
 */
export function readReports<T>(body: string, read: (fields: FieldReader) => T[]): { readings: T[]; notices: Notice[] } {
  if (body.trim() === '') return { readings: [], notices: [] }
  const rows = readJson(body, rowsAt())
  if (rows.length > 0 && !rows.some((row) => isObject(row) && 'icaoId' in row)) {
    throw new ParseError('$', 'none of the rows names a station')
  }
  const notices: Notice[] = []
  const readings = rows.flatMap((row, index) => {
    if (isObject(row)) return read(new FieldReader(row, `$[${index}]`, null, notices))
    notices.push(notice('row_unreadable', 'warning', `$[${index}]`, 'The row is not a report; it is left out.', row))
    return []
  })
  return { readings, notices }
}

/** Stations date a report at the coming half hour, and forecasts come before their hour; a later time is an error. */
const MAX_AHEAD_MS = 60 * 60_000

/** Whether a report is dated so far after the fetch that it cannot be right; it then gets a notice. */
export function isInFuture(reported_at: string, fields: FieldReader, fetched_at: string): boolean {
  if (Date.parse(reported_at) <= Date.parse(fetched_at) + MAX_AHEAD_MS) return false
  fields.warning('observed_in_future', 'The report is dated over an hour after the fetch; it is left out.', reported_at)
  return true
}

/** A report of yesterday that is sent as one of today lies further apart. */
const MAX_APART_MS = 6 * 60 * 60_000

/** The station and the instant of a report, as the row or its text says. */
interface Heading {
  icao: string
  at: string | null
}

/** Whether the text of a report is that of another station or another time than its row says; it then gets a notice. */
export function isOfAnother(row: Heading, text: Heading | null, fields: FieldReader): boolean {
  if (text === null) return false
  const isOtherStation = text.icao !== row.icao
  const apart = row.at === null || text.at === null ? 0 : Math.abs(Date.parse(row.at) - Date.parse(text.at))
  if (!isOtherStation && apart <= MAX_APART_MS) return false
  const what = isOtherStation ? 'station' : 'time'
  fields.warning(
    'report_differs_from_row',
    `The text names another ${what} than its row (${isOtherStation ? row.icao : row.at}); the report is left out.`,
    isOtherStation ? text.icao : text.at,
  )
  return true
}

/** Whether groups of a report are of no known kind, so that their meaning is unknown; it then gets a notice. */
export function isMisread(unknown: readonly string[], fields: FieldReader): boolean {
  if (unknown.length === 0) return false
  fields.warning(
    'report_group_unknown',
    'Groups of the report are not understood, so its flight category is left unknown.',
    unknown.join(' '),
  )
  return true
}

/** The station of a report; null with a notice when it names none. */
export function stationOf(fields: FieldReader, iataOf: (id: string) => string | null): string | null {
  const icao = fields.text('icaoId')
  if (icao === null || !/^[A-Z0-9]{4}$/.test(icao)) {
    return fields.warning('row_without_station', 'icaoId is not an ICAO code; the report is left out.', icao)
  }
  fields.iata = iataOf(icao)
  return icao
}
