import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import type { Fields } from '../../parsing/fields.ts'
import { decodeMetar } from './decode-metar.ts'
import { inFuture, readReports, stationOf } from './reports.ts'
import { stationRequests } from './request.ts'
import { skyOf } from './sky.ts'

function metarOf(fields: Fields, context: ParseContext): ParsedMetar[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawOb')
  if (icao === null) return []
  if (raw === null) {
    fields.note('row_without_report', 'warning', 'rawOb is missing; the report is left out')
    return []
  }
  const decoded = decodeMetar(raw, new Date(context.fetched_at))
  const observed_at = fields.instant('obsTime') ?? decoded?.observed_at ?? null
  if (observed_at === null) {
    fields.note('row_without_time', 'warning', 'neither obsTime nor the text tells the time; the report is left out')
    return []
  }
  if (inFuture(observed_at, fields, context.fetched_at)) return []
  const measured = (name: string, fromText: number | null | undefined) =>
    fields.has(name) ? fields.number(name) : (fromText ?? null)
  const sky = skyOf(fields, decoded)
  const theirs = fields.text('fltCat')
  if (theirs !== null && theirs !== sky.flight_category) {
    fields.note('flight_category_differs', 'info', `ours is ${sky.flight_category ?? 'unknown'}`, theirs)
  }
  return [
    {
      icao,
      observed_at,
      ...sky,
      temperature_c: measured('temp', decoded?.temperature_c),
      dewpoint_c: measured('dewp', decoded?.dewpoint_c),
      altimeter_hpa: measured('altim', decoded?.altimeter_hpa),
      raw,
    },
  ]
}

/** METAR and SPECI reports of the Aviation Weather Center, in its schema of today and the one before September 2025. */
export const awcMetar: Collector<'metars'> = {
  id: 'awc-metar',
  lands: 'metars',
  transport: 'http',
  request: stationRequests,
  parse: (body, context) => readReports(body, (fields) => metarOf(fields, context)),
}
