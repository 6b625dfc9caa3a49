import { DateTime } from 'luxon'
import { Iata, isoUtc } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import { countsDisagree, peopleMeasured } from '../parsing/cbp-counts.ts'
import { instantOf, readingsOf } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { readCsv } from '../parsing/csv.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'

const DAY_MS = 86_400_000

/**
 * US Customs and Border Protection: passport control of 46 airports, one row a terminal and local hour of arrival,
 * published two days late. Reads the API's JSON and the web form's CSV export, which have the same columns.
 * Options: `days`, how many days back to ask (default 10).
 */
export const cbpAwt: Collector<'readings'> = {
  id: 'cbp-awt',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports, now }) => {
    const days = Number(source.options.days ?? 10)
    const day = (ms: number) => isoUtc(ms).slice(0, 10)
    return airports.map((iata) => ({
      url: source.url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ Id: iata, FromDate: day(now - days * DAY_MS), ToDate: day(now) }),
      iata,
    }))
  },
  parse: (body, context) => {
    const notices: Notice[] = []
    return finish(
      rowsOf(body).flatMap((row, at) => parseRow(row, `Items[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

function rowsOf(body: string): unknown[] {
  if (/^\s*[{[]/.test(body)) return listAt(objectAt(jsonBody(body), '$').Items, 'Items')
  if (!/^\uFEFF?"?[A-Za-z]\w*"?,/.test(body) || !body.slice(0, body.indexOf('\n')).includes('FlightDate'))
    throw new ParseError('$', `is neither the API's JSON nor the export's CSV; it begins "${body.slice(0, 60)}"`)
  return readCsv(body)
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const leaveOut = (code: string, message: string, value: unknown, iata: string | null): [] => {
    notices.push(notice(code, 'warning', path, message, value, iata))
    return []
  }
  if (!isObject(row)) return leaveOut('row_unreadable', 'A row is not an object.', row, null)
  const iata = textOf(row.AirportCode)
  if (!Iata.safeParse(iata).success || (context.iata !== null && iata !== context.iata))
    return leaveOut('airport_unexpected', 'A row names another airport than the one asked for.', iata, null)
  const zone = zoneOf(iata, context)
  if (zone === null)
    return leaveOut('airport_unexpected', 'A row names an airport that the directory does not know.', iata, null)
  const hour = hourOf(row, zone)
  if (typeof hour === 'string')
    return leaveOut('time_unreadable', hour, `${textOf(row.FlightDate)} ${textOf(row.HourRange)}`, iata)
  if (hour.twice)
    notices.push(
      notice(
        'local_hour_twice',
        'info',
        path,
        'The clock was put back in this hour; its first run is taken.',
        row.HourRange,
        iata,
      ),
    )
  if (countsDisagree(row))
    notices.push(
      notice(
        'counts_disagree',
        'warning',
        path,
        "CBP's passenger counts do not add up.",
        row.TotalPassengerCount,
        iata,
      ),
    )
  return [
    {
      kind: 'immigration',
      iata,
      terminal: textOf(row.TerminalName),
      checkpoint: textOf(row.SiteId),
      lane: 'all',
      observed_at: hour.observed_at,
      observed_at_basis: 'source',
      // An average over nobody is printed as 0: nobody waited, which is not a wait of zero.
      wait_minutes:
        peopleMeasured(row) === 0
          ? null
          : readMinutes(row.AverageWait, 'minutes', { path: `${path}.AverageWait`, iata, notices }),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: null,
      status: Number(textOf(row.BoothsUsed) || 0) > 0 ? 'open' : 'unknown',
    },
  ]
}

function zoneOf(iata: string, context: ParseContext): string | null {
  try {
    return context.timezoneOf(iata)
  } catch {
    return null
  }
}

/** The UTC start of a row's local hour, or why it has none. */
function hourOf(row: JsonObject, zone: string): { observed_at: string; twice: boolean } | string {
  const date = textOf(row.FlightDate).match(/^\d{4}-\d{2}-\d{2}/)?.[0]
  const start = textOf(row.HourRange).match(/^(\d{2})00 - \d{4}$/)?.[1]
  if (date === undefined || start === undefined) return 'A row has no readable date and hour.'
  const wall = DateTime.fromISO(`${date}T${start}:00`, { zone })
  if (!wall.isValid) return 'A row has no readable date and hour.'
  if (wall.hour !== Number(start)) return 'The clock was put forward over this hour: it did not exist.'
  const readings = readingsOf(wall)
  const observed_at = instantOf(readings.at(-1)?.toMillis())
  return observed_at === null ? 'A row is not of this century.' : { observed_at, twice: readings.length > 1 }
}
