import type { ParsedTaf } from '../../../warehouse/tables/weather.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import { asList, type Fields, isRow } from '../../parsing/fields.ts'
import { type DecodedPeriod, decodeTaf } from './decode-taf.ts'
import { inFuture, readReports, stationOf } from './reports.ts'
import { stationRequests } from './request.ts'
import { skyOf } from './sky.ts'

const CHANGES = new Set<unknown>(['FM', 'BECMG', 'TEMPO', 'PROB'])

/** One forecast period; what the payload leaves out is taken from the same period of the decoded text. */
function periodOf(fields: Fields, decoded: readonly DecodedPeriod[]): DecodedPeriod | null {
  const period_from = fields.instant('timeFrom')
  const period_to = fields.instant('timeTo')
  const change = fields.has('fcstChange') ? fields.row.fcstChange : null
  if (period_from === null || period_to === null) {
    return fields.note('period_without_time', 'warning', 'timeFrom or timeTo is missing; the period is left out')
  }
  if (change !== null && !CHANGES.has(change)) {
    return fields.note('change_unknown', 'info', 'a change group we do not keep; the period is left out', change)
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

function tafOf(fields: Fields, context: ParseContext): ParsedTaf[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawTAF')
  if (icao === null) return []
  if (raw === null) {
    fields.note('row_without_report', 'warning', 'rawTAF is missing; the forecast is left out')
    return []
  }
  const issueTime = fields.instant('issueTime')
  const decoded = decodeTaf(raw, new Date(issueTime ?? context.fetched_at))
  const issued_at = issueTime ?? decoded?.issued_at ?? null
  if (issued_at === null) {
    fields.note(
      'row_without_time',
      'warning',
      'neither issueTime nor the text tells the time; the forecast is left out',
    )
    return []
  }
  if (inFuture(issued_at, fields, context.fetched_at)) return []
  const listed = asList(fields.row.fcsts)
  const periods = listed.flatMap((row, index) => {
    const period = periodOf(fields.nested(`fcsts[${index}]`, isRow(row) ? row : {}), decoded?.periods ?? [])
    return period ? [period] : []
  })
  if (listed.length === 0 && decoded === null) {
    fields.note('row_without_period', 'warning', 'neither fcsts nor the text tells a period; the forecast is left out')
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
