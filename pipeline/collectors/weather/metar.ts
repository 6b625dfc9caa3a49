import type { UtcInstant } from '../../../config/vocabulary.ts'
import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import type { FieldReader } from '../../parsing/fields.ts'
import { splitGlued } from './glued-groups.ts'
import { isAltimeter, readGroups, unknownGroups } from './groups.ts'
import { isNilReport, readHeader } from './header.ts'
import { isInFuture, isMisread, isOfAnother, readReports, stationOf, stationRequests } from './reports.ts'
import { skyOfPayload } from './sky.ts'

/** Beyond the records of the world. */
const TEMPERATURES_C = [-100, 70] as const
const PRESSURES_HPA = [800, 1_100] as const

function metarOf(fields: FieldReader, context: ParseContext): ParsedMetar[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawOb')
  if (icao === null) return []
  if (raw === null) {
    fields.warning('row_without_report', 'rawOb is missing; the report is left out.')
    return []
  }
  if (isNilReport(raw)) {
    fields.info('report_nil', 'The station sent that it has no observation; the report is left out.', raw)
    return []
  }
  const obsTime = fields.instant('obsTime')
  const decoded = decodeMetar(raw, new Date(obsTime ?? context.fetched_at))
  if (isOfAnother({ icao, at: obsTime }, decoded && { icao: decoded.icao, at: decoded.observed_at }, fields)) return []
  const observed_at = obsTime ?? decoded?.observed_at ?? null
  if (observed_at === null) {
    fields.warning('row_without_time', 'Neither obsTime nor the text gives the time; the report is left out.')
    return []
  }
  if (isInFuture(observed_at, fields, context.fetched_at)) return []
  const measured = (name: string, range: readonly [number, number], fromText: number | null | undefined) =>
    fields.has(name) ? fields.number(name, range) : (fromText ?? null)
  const sky = skyOfPayload(fields, decoded)
  if (isMisread(decoded?.unknown ?? [], fields)) sky.flight_category = null
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
      temperature_c: measured('temp', TEMPERATURES_C, decoded?.temperature_c),
      dewpoint_c: measured('dewp', TEMPERATURES_C, decoded?.dewpoint_c),
      altimeter_hpa: measured('altim', PRESSURES_HPA, decoded?.altimeter_hpa),
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

export type DecodedMetar = Omit<ParsedMetar, 'raw' | 'observed_at'> & {
  observed_at: UtcInstant | null
  /** Groups of no known kind. */
  unknown: string[]
}

/**
 * The words that end the observation: a trend (ICAO Annex 3, and INTER and FM of Australia), a remark, a colour state of
 * an air force (a forecast may follow it without a word of its own), or the next report.
 */
const END_OF_OBSERVATION =
  /^(NOSIG|NOSTEND|BECMG|TEMPO|INTER|PROB\S*|GRADU|RAPID|TREND|TTF:?|FCST|(FM|TL|AT)(\d\S*)?|RMKS?|METAR|SPECI|TAF|(BLACK|BLU|WHT|GRN|YLO|AMB|RED)([12+]|BLACK|BLU|WHT|GRN|YLO|AMB|RED)*)$/

/**
 * The groups of the observation. The altimeter setting is its last group (ICAO Annex 3): what looks like wind, visibility
 * or cloud after it is a forecast, whatever the word before it. A few stations send the groups in another order, so
 * those before it are all read.
 */
function observationOf(tokens: readonly string[]): string[] {
  const end = tokens.findIndex((token) => END_OF_OBSERVATION.test(token))
  const observation = end < 0 ? [...tokens] : tokens.slice(0, end)
  const altimeter = observation.findIndex(isAltimeter)
  return altimeter < 0 ? observation : observation.slice(0, altimeter + 1)
}

/**
 * Decodes the text of a METAR or SPECI: the observation alone, never its trend. The text names day and time only: month
 * and year are chosen so that it is nearest to `near`. Null when the text is not a report.
 */
export function decodeMetar(raw: string, near: Date): DecodedMetar | null {
  const header = readHeader(raw, near)
  if (!header) return null
  const tokens = observationOf(splitGlued(header.tokens))
  const unknown = unknownGroups(tokens)
  const groups = readGroups(tokens)
  if (unknown.length > 0) groups.flight_category = null
  return { icao: header.station, observed_at: header.reported_at, ...groups, unknown }
}
