import { type IForecastContainer, parseTAFAsForecast } from 'metar-taf-parser'
import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedTaf } from '../../../warehouse/tables/weather.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import { asList, type FieldReader } from '../../parsing/fields.ts'
import { isObject } from '../../parsing/json.ts'
import { isInFuture, readReports, stationOf, stationRequests } from './reports.ts'
import { finite, skyOf, skyOfGroups } from './sky.ts'

const CHANGES = new Set<unknown>(['FM', 'BECMG', 'TEMPO', 'PROB'])

/** One forecast period; fields missing from the payload come from the same period of the decoded text. */
function periodOf(fields: FieldReader, decoded: readonly DecodedPeriod[]): DecodedPeriod | null {
  const period_from = fields.instant('timeFrom')
  const period_to = fields.instant('timeTo')
  const change = fields.has('fcstChange') ? fields.row.fcstChange : null
  if (period_from === null || period_to === null) {
    return fields.warning('period_without_time', 'timeFrom or timeTo is missing; the period is left out.')
  }
  if (change !== null && !CHANGES.has(change)) {
    return fields.info(
      'change_unknown',
      'The table does not hold this kind of change group; the period is left out.',
      change,
    )
  }
  const same = decoded.find((period) => period.period_from === period_from && period.change === change)
  return {
    period_from,
    period_to,
    change: change as DecodedPeriod['change'],
    probability: fields.number('probability'),
    ...skyOf(fields, same ?? null),
  }
}

function tafOf(fields: FieldReader, context: ParseContext): ParsedTaf[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawTAF')
  if (icao === null) return []
  if (raw === null) {
    fields.warning('row_without_report', 'rawTAF is missing; the forecast is left out.')
    return []
  }
  const issueTime = fields.instant('issueTime')
  const decoded = decodeTaf(raw, new Date(issueTime ?? context.fetched_at))
  const issued_at = issueTime ?? decoded?.issued_at ?? null
  if (issued_at === null) {
    fields.warning('row_without_time', 'Neither issueTime nor the text gives the time; the forecast is left out.')
    return []
  }
  if (isInFuture(issued_at, fields, context.fetched_at)) return []
  const listed = asList(fields.row.fcsts)
  const periods = listed.flatMap((row, index) => {
    const period = periodOf(fields.nested(`fcsts[${index}]`, isObject(row) ? row : {}), decoded?.periods ?? [])
    return period ? [period] : []
  })
  if (listed.length === 0 && decoded === null) {
    fields.warning('row_without_period', 'Neither fcsts nor the text gives a period; the forecast is left out.')
  }
  return (listed.length > 0 ? periods : (decoded?.periods ?? [])).map((period) => ({ icao, issued_at, ...period, raw }))
}

/** Terminal forecasts of the Aviation Weather Center, a row for each period. */
export const awcTaf: Collector<'tafs'> = {
  id: 'awc-taf',
  lands: 'tafs',
  transport: 'http',
  request: stationRequests,
  parse: (body, context) => readReports(body, (fields) => tafOf(fields, context)),
}

export type DecodedPeriod = Omit<ParsedTaf, 'icao' | 'issued_at' | 'raw'>

export interface DecodedTaf {
  icao: string
  issued_at: UtcInstant | null
  periods: DecodedPeriod[]
}

/** A lowest visibility with a direction (`3000E`) makes the parser refuse a group that has no other visibility. */
const DIRECTED_VISIBILITY = / \d{4}(?:N|NE|E|SE|S|SW|W|NW)(?= |$)/g

function forecastOf(raw: string, near: Date): IForecastContainer | null {
  for (const text of [raw, raw.replace(DIRECTED_VISIBILITY, '')]) {
    try {
      return parseTAFAsForecast(text, { issued: near })
    } catch {
      // Every error of the library means the same: the text is not understood.
    }
  }
  return null
}

/**
 * Decodes the text of a TAF into its periods. Dates are chosen so that the forecast is nearest to `near`; periods of
 * a kind that the table does not hold (INTER) are left out. Null when the text is not understood.
 */
export function decodeTaf(raw: string, near: Date): DecodedTaf | null {
  const taf = forecastOf(raw, near)
  if (!taf) return null
  const periods = taf.forecast.flatMap((forecast) => {
    const period_from = instantOfMs(forecast.start.getTime())
    const period_to = instantOfMs(forecast.end.getTime())
    const change = forecast.type ?? null
    if (period_from === null || period_to === null || (change !== null && !CHANGES.has(change))) return []
    return [
      {
        period_from,
        period_to,
        change: change as DecodedPeriod['change'],
        probability: finite(forecast.probability),
        ...skyOfGroups(forecast),
      },
    ]
  })
  return { icao: taf.station, issued_at: instantOfMs(taf.issued.getTime()), periods }
}
