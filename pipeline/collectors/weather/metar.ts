import { parseMetar } from 'metar-taf-parser'
import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import type { FieldReader } from '../../parsing/fields.ts'
import { isInFuture, readReports, stationOf, stationRequests } from './reports.ts'
import { finite, hectopascal, skyOf, skyOfGroups } from './sky.ts'

function metarOf(fields: FieldReader, context: ParseContext): ParsedMetar[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawOb')
  if (icao === null) return []
  if (raw === null) {
    fields.warning('row_without_report', 'rawOb is missing; the report is left out.')
    return []
  }
  const decoded = decodeMetar(raw, new Date(context.fetched_at))
  const observed_at = fields.instant('obsTime') ?? decoded?.observed_at ?? null
  if (observed_at === null) {
    fields.warning('row_without_time', 'Neither obsTime nor the text gives the time; the report is left out.')
    return []
  }
  if (isInFuture(observed_at, fields, context.fetched_at)) return []
  const measured = (name: string, fromText: number | null | undefined) =>
    fields.has(name) ? fields.number(name) : (fromText ?? null)
  const sky = skyOf(fields, decoded)
  const published = fields.text('fltCat')
  if (published !== null && published !== sky.flight_category) {
    fields.info(
      'flight_category_differs',
      `The computed flight category is ${sky.flight_category ?? 'unknown'}.`,
      published,
    )
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

export type DecodedMetar = Omit<ParsedMetar, 'raw' | 'observed_at'> & { observed_at: UtcInstant | null }

/**
 * Decodes the text of a METAR or SPECI. The text names day and time only: month and year are chosen
 * so that it is nearest to `near`. Null when the text is not a report.
 */
export function decodeMetar(raw: string, near: Date): DecodedMetar | null {
  try {
    const report = parseMetar(raw, { issued: near })
    return {
      icao: report.station,
      observed_at: report.day === undefined ? null : instantOfMs(report.issued.getTime()),
      ...skyOfGroups(report),
      temperature_c: finite(report.temperature),
      dewpoint_c: finite(report.dewPoint),
      altimeter_hpa: report.altimeter ? hectopascal(report.altimeter.value, report.altimeter.unit) : null,
    }
  } catch {
    return null
  }
}
