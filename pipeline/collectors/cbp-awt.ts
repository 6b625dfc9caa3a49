import { DateTime } from 'luxon'
import { z } from 'zod'
import { presentCode } from '../../config/airports/former-codes.ts'
import { ParseError } from '../../config/errors.ts'
import { isObject, type JsonObject } from '../../config/json-object.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { DAY_MS, Iata, utcDayOf } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { instantOfMs, possibleInstants } from '../parsing/clocks.ts'
import { parseCsv } from '../parsing/csv.ts'
import { readJson, readRows, rowsAt, textOf } from '../parsing/json.ts'
import { type NoticeReporter, reportUnexpectedAirport } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

/**
 * US Customs and Border Protection: passport control of 46 airports, one row per terminal and local hour of arrival,
 * published two days late. Reads the API's JSON and the web form's CSV export, which have the same columns.
 * Options: `days`, how many days back to request (default 10); `code_DJT` and the like: the code by which CBP still knows an airport.
 */
export const cbpAwt = waitCollector({
  id: 'cbp-awt',
  options: ({ airports }) =>
    z.strictObject({
      days: z.int().min(1).optional(),
      ...Object.fromEntries(airports.map((iata) => [`code_${iata}`, Iata.optional()])),
    }),
  request: ({ source, airports, now }) => {
    const days = Number(source.options.days ?? 10)
    return airports.map((iata) => ({
      url: source.url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        Id: source.options[`code_${iata}`] ?? iata,
        FromDate: utcDayOf(now - days * DAY_MS),
        ToDate: utcDayOf(now),
      }),
      iata,
    }))
  },
  read: (payload) =>
    readRows(rowsOf(payload.body), payload.report.at('Items'), Row, (row, report) => readHour(row, report, payload)),
})

const Row = z.record(z.string(), z.unknown())

/** @throws ParseError when the body is neither of the two forms, or none of its rows has the column of the wait */
function rowsOf(body: string): unknown[] {
  const rows = listOf(body)
  if (rows.length > 0 && !rows.some((row) => isObject(row) && 'AverageWait' in row))
    throw new ParseError('Items', 'none of the rows has AverageWait')
  return rows
}

function listOf(body: string): unknown[] {
  if (/^\s*[{[]/.test(body)) return readJson(body, rowsAt('Items'))
  if (!/^\uFEFF?"?[A-Za-z]\w*"?,/.test(body) || !body.slice(0, body.indexOf('\n')).includes('FlightDate'))
    throw new ParseError('$', `is neither the API's JSON nor the export's CSV; it begins "${body.slice(0, 60)}"`)
  return parseCsv(body)
}

function readHour(row: JsonObject, rowReport: NoticeReporter, payload: WaitPayload): ParsedReading | null {
  const iata = presentCode(textOf(row.AirportCode))
  if (!Iata.safeParse(iata).success || (payload.requested_iata !== null && iata !== payload.requested_iata))
    return reportUnexpectedAirport(iata, rowReport.about(null))
  const report = rowReport.about(iata)
  const zone = payload.zoneOfAirport(iata)
  if (zone === null)
    return report.warning('airport_unexpected', 'The row names an airport that the directory does not know.', iata)
  const hour = hourOf(row, zone)
  if (typeof hour === 'string')
    return report.warning('time_unreadable', hour, `${textOf(row.FlightDate)} ${textOf(row.HourRange)}`)
  if (hour.is_repeated)
    report.info('local_hour_twice', 'The clock repeats this hour; its first run is used.', row.HourRange)
  if (countsDisagree(row))
    report.warning('counts_disagree', "CBP's passenger counts do not add up.", row.TotalPassengerCount)
  // An average over no passengers is printed as 0: nobody waited, which is not a wait of zero.
  const hasPassengers = measuredPassengers(row) !== 0
  return {
    ...payload.forAirport(iata).unknownReading,
    kind: 'immigration',
    terminal: textOf(row.TerminalName),
    checkpoint: textOf(row.SiteId),
    observed_at: hour.observed_at,
    observed_at_basis: 'source',
    wait_minutes: hasPassengers ? readMinutes(row.AverageWait, 'minutes', report.at('AverageWait')) : null,
    status: Number(textOf(row.BoothsUsed) || 0) > 0 ? 'open' : 'unknown',
  }
}

/** The UTC start of a row's local hour, or the reason why it has none. */
function hourOf(row: JsonObject, zone: string): { observed_at: string; is_repeated: boolean } | string {
  const date = textOf(row.FlightDate).match(/^\d{4}-\d{2}-\d{2}/)?.[0]
  const start = textOf(row.HourRange).match(/^(\d{2})00 - \d{4}$/)?.[1]
  if (date === undefined || start === undefined) return 'The row has no readable date and hour.'
  const wall = DateTime.fromISO(`${date}T${start}:00`, { zone: zoneOf(zone) })
  if (!wall.isValid) return 'The row has no readable date and hour.'
  if (wall.hour !== Number(start)) return 'The clock skips this hour: it did not exist.'
  const instants = possibleInstants(wall)
  const observed_at = instantOfMs(instants.at(-1)?.toMillis())
  return observed_at === null ? 'The row is not of this century.' : { observed_at, is_repeated: instants.length > 1 }
}

/** CBP's buckets of waiting time in minutes, as its columns name them. */
const BUCKETS = ['0_15', '16_30', '31_45', '46_60', '61_90', '91_120', '121']

function count(row: JsonObject, column: string): number | null {
  const text = textOf(row[column])
  return /^\d+$/.test(text) ? Number(text) : null
}

/** Passengers whose wait was measured: the sum of the buckets; null when a bucket is missing. */
function measuredPassengers(row: JsonObject): number | null {
  let sum = 0
  for (const bucket of BUCKETS) {
    const passengers = count(row, `Average_${bucket}_PassengerCount`)
    if (passengers === null) return null
    sum += passengers
  }
  return sum
}

/**
 * Whether a row breaks one of three rules that held in all of 139,340 rows measured in 2026: buckets + excluded = total;
 * US + other passengers = total; the largest wait is the larger of the two groups'. Missing columns prove nothing.
 */
export function countsDisagree(row: JsonObject): boolean {
  const isBroken = (parts: (number | null)[], whole: number | null, combine: (numbers: number[]) => number) => {
    const known = parts.filter((number) => number !== null)
    return whole !== null && known.length === parts.length && combine(known) !== whole
  }
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const largest = (numbers: number[]) => Math.max(...numbers)
  const total = count(row, 'TotalPassengerCount')
  return (
    isBroken([measuredPassengers(row), count(row, 'ExcludedPassengerCount')], total, sum) ||
    isBroken([count(row, 'UsaPassengerCount'), count(row, 'NonUsaPassengerCount')], total, sum) ||
    isBroken([count(row, 'UsaPassengerMaxWait'), count(row, 'NonUsaPassengerMaxWait')], count(row, 'MaxWait'), largest)
  )
}
