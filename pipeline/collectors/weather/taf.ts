import { isObject } from '../../../config/json-object.ts'
import { DAY_MS, HOUR_MS, isoUtc, TafChange, type UtcInstant } from '../../../config/vocabulary.ts'
import type { ParsedTaf } from '../../../warehouse/tables/weather.ts'
import type { Collector, ParseContext } from '../../parsing/collector.ts'
import { asList, type FieldReader } from '../../parsing/fields.ts'
import { splitGlued } from './glued-groups.ts'
import { mentionsClouds, readGroups, type StatedGroups, unknownGroups } from './groups.ts'
import { isNilReport, nearestInstant, readHeader } from './header.ts'
import { isInFuture, isMisread, isOfAnother, readReports, stationOf, stationRequests } from './reports.ts'
import { type Sky, skyOf, skyOfPayload } from './sky.ts'

/** One forecast period; fields missing from the payload come from the same period of the decoded text. */
function periodOf(
  fields: FieldReader,
  decoded: readonly DecodedPeriod[],
  isDecodedText: boolean,
): DecodedPeriod | null {
  const period_from = fields.instant('timeFrom')
  const period_to = fields.instant('timeTo')
  const change = TafChange.nullable().safeParse(fields.has('fcstChange') ? fields.row.fcstChange : null)
  if (period_from === null || period_to === null) {
    return fields.warning('period_without_time', 'timeFrom or timeTo is missing; the period is left out.')
  }
  if (period_to <= period_from) {
    return fields.warning('period_without_time', 'timeTo is not after timeFrom; the period is left out.', period_to)
  }
  if (!change.success) {
    return fields.info(
      'change_unknown',
      'The table does not hold this kind of change group; the period is left out.',
      fields.row.fcstChange,
    )
  }
  const probability = fields.number('probability', [0, 100])
  const same = samePeriod({ period_from, period_to, change: change.data, probability }, decoded)
  const sky = skyOfPayload(fields, same)
  // The category of the text counts what continues from before, which a payload's period does not have.
  const isAsText = same?.visibility_sm === sky.visibility_sm && same?.ceiling_ft === sky.ceiling_ft
  const flight_category = isAsText || isDecodedText ? (same?.flight_category ?? null) : sky.flight_category
  return { period_from, period_to, change: change.data, probability, ...sky, flight_category }
}

type PeriodKey = Pick<DecodedPeriod, 'period_from' | 'period_to' | 'change' | 'probability'>

/** The period of the text that a period of the payload is: the same start and kind, and the same end if several are alike. */
function samePeriod(key: PeriodKey, decoded: readonly DecodedPeriod[]): DecodedPeriod | null {
  const isBrief = (change: PeriodKey['change']) => change === 'TEMPO' || change === 'PROB' || change === 'INTER'
  const alike = decoded.filter(
    ({ period_from, change, probability }) =>
      period_from === key.period_from &&
      (change === key.change ||
        (isBrief(change) && isBrief(key.change) && key.probability !== null && probability === key.probability)),
  )
  return alike.find(({ period_to }) => period_to === key.period_to) ?? alike[0] ?? null
}

function tafOf(fields: FieldReader, context: ParseContext): ParsedTaf[] {
  const icao = stationOf(fields, context.iataOf)
  const raw = fields.text('rawTAF')
  if (icao === null) return []
  if (raw === null) {
    fields.warning('row_without_report', 'rawTAF is missing; the forecast is left out.')
    return []
  }
  if (isNilReport(raw)) {
    fields.info('report_nil', 'The station sent that it has no forecast; the report is left out.', raw)
    return []
  }
  const issueTime = fields.instant('issueTime')
  const decoded = decodeTaf(raw, new Date(issueTime ?? context.fetched_at))
  if (isOfAnother({ icao, at: issueTime }, decoded && { icao: decoded.icao, at: decoded.issued_at }, fields)) return []
  const issued_at = issueTime ?? decoded?.issued_at ?? null
  if (issued_at === null) {
    fields.warning('row_without_time', 'Neither issueTime nor the text gives the time; the forecast is left out.')
    return []
  }
  if (isInFuture(issued_at, fields, context.fetched_at)) return []
  const isPartlyUnknown = isMisread(decoded?.unknown ?? [], fields)
  // The service does not know further periods without a change word, and gives their weather to the group before.
  const hasFurther = (decoded?.periods.filter(({ change }) => change === null).length ?? 0) > 1
  const listed = hasFurther ? [] : asList(fields.row.fcsts)
  const periods = listed.flatMap((row, index) => {
    const period = periodOf(
      fields.nested(`fcsts[${index}]`, isObject(row) ? row : {}),
      decoded?.periods ?? [],
      isPartlyUnknown,
    )
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

/** A change group or the base forecast as it stands in the text. */
interface TextGroup {
  change: TafChange | null
  probability: number | null
  from: number
  /** Null: until the next FM or BECMG, or the end of the forecast. */
  to: number | null
  tokens: string[]
}

/** Words after which nothing is forecast until the next change group: remarks, when amendments come, Australia's temperatures. */
const NOT_FORECAST = /^(RMKS?|AMD|LAST|NEXT|NXT|LTD|LIMITED|FCST|COR|T|Q)$/

/** `1218/1324`, `1218/` (end not sent), and the form before 2008: `121812`. */
const PERIOD = /^(\d{2})(\d{2})\/(?:(\d{2})(\d{2}))?$/
const OLD_PERIOD = /^(\d{2})(\d{2})(\d{2})$/

/**
 * Decodes the text of a TAF into its periods. Dates are chosen so that the forecast is nearest to `near`. A cancelled forecast has one
 * period that states nothing. Null when the text is not a forecast.
 */
export function decodeTaf(raw: string, near: Date) {
  const header = readHeader(raw, near)
  if (!header || isNilReport(raw)) return null
  const [validity, ...tokens] = splitGlued(header.tokens)
  const valid = validityOf(validity ?? '', Date.parse(header.reported_at ?? near.toISOString()))
  if (!valid) return null
  const { groups, lost } = textGroups(tokens, valid)
  const periods = withContinued(periodsOf(groups, valid))
  // A change that cannot be read may have changed every period.
  if (lost.length > 0) for (const period of periods) period.flight_category = null
  const unknown = [...lost, ...groups.flatMap((group) => unknownGroups(group.tokens))]
  return { icao: header.station, issued_at: header.reported_at, periods, unknown }
}

interface Span {
  from: number
  to: number
}

/** The validity of a forecast; null where its end is not sent or no instant (`2504/2528`). */
function validityOf(token: string, nearMs: number): Span | null {
  const period = PERIOD.exec(token)
  const span = period && spanOf(period, nearMs)
  if (period) return span !== null && Number.isFinite(span.to) ? span : null
  const [, day = '', from = '', until = ''] = OLD_PERIOD.exec(token) ?? []
  const start = day === '' ? null : msOf(nearestInstant(Number(day), Number(from), 0, nearMs))
  if (start === null) return null
  const hours = (Number(until) - Number(from) + 24) % 24 || 24
  return { from: start, to: start + hours * HOUR_MS }
}

/** The instants of `1218/1324`; hour 24 is midnight, and the end may lie in the next month. An end that cannot be read is infinite. */
function spanOf([, fromDay, fromHour, toDay, toHour]: RegExpExecArray, nearMs: number): Span | null {
  const from = msOf(nearestInstant(Number(fromDay), Number(fromHour), 0, nearMs))
  if (from === null) return null
  const to = toDay === undefined ? null : msOf(nearestInstant(Number(toDay), Number(toHour), 0, from))
  return { from, to: to ?? Number.POSITIVE_INFINITY }
}

const msOf = (instant: UtcInstant | null) => (instant === null ? null : Date.parse(instant))

/**
 * Splits the text after the validity into its groups. A change group whose period lies outside the validity is left out with its
 * tokens, and so is one whose period cannot be read, which is `lost`.
 */
function textGroups(tokens: readonly string[], valid: Span): { groups: TextGroup[]; lost: string[] } {
  const lost: string[] = []
  const groups: TextGroup[] = [{ change: null, probability: null, from: valid.from, to: null, tokens: [] }]
  let current: TextGroup | null = groups[0]!
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (/TAF$/.test(token)) break
    const change = changeAt(tokens, index, valid)
    if (change) {
      current = change.group === 'unreadable' ? null : change.group
      if (current) groups.push(current)
      if (change.group === 'unreadable') lost.push(tokens.slice(index, index + change.length + 1).join(' '))
      index += change.length - 1
    } else if (NOT_FORECAST.test(token)) current = null
    else current?.tokens.push(token)
  }
  return { groups, lost }
}

/** The change group that begins at a token: how many tokens its head has, and the group, null when it lies outside the validity. */
function changeAt(
  tokens: readonly string[],
  start: number,
  valid: Span,
): { length: number; group: TextGroup | null | 'unreadable' } | null {
  const token = tokens[start]!
  const further = /^\d{4}\/\d{4}$/.test(token) ? spanOf(PERIOD.exec(token)!, valid.from) : null
  if (further) return { length: 1, group: Number.isFinite(further.to) ? furtherGroup(further, valid) : 'unreadable' }
  const fromTime = /^FM(\d{2})?(\d{2})(\d{2})$/.exec(token === 'FM' ? `FM${tokens[start + 1]}` : token)
  if (fromTime) return { length: token === 'FM' ? 2 : 1, group: fromGroup(fromTime, valid) }
  if (!/^(BECMG|TEMPO|INTER|PROB\S*)$/.test(token)) return null
  const probability = /^PROB(\d{2})$/.exec(token)?.[1]
  const second = tokens[start + 1] ?? ''
  const isCombined = token.startsWith('PROB') && /^(TEMPO|INTER)$/.test(second)
  const word = isCombined ? second : token
  const periodAt = start + (isCombined ? 2 : 1)
  const period = PERIOD.exec(tokens[periodAt] ?? '')
  const span = period && spanOf(period, valid.from)
  if (!span) return { length: periodAt - start, group: 'unreadable' }
  const to = Number.isFinite(span.to) ? span.to : valid.to
  const group: TextGroup = {
    change: word.startsWith('PROB') ? 'PROB' : (word as TafChange),
    probability: probability === undefined ? null : Number(probability),
    from: span.from,
    // A BECMG prevails after its change, until the next one.
    to: word === 'BECMG' ? null : to,
    tokens: [],
  }
  return { length: periodAt - start + 1, group: group.from < valid.to && to > valid.from ? group : null }
}

/** A further period of the base forecast, as Sweden sends them: it begins without a change word, and anew. */
const furtherGroup = ({ from, to }: Span, valid: Span): TextGroup | null =>
  from < valid.to && to > valid.from ? { change: null, probability: null, from, to, tokens: [] } : null

/** `FM121830`: day, hour and minute. Without the day it is the first such time of the forecast. */
function fromGroup([, day, hour, minute]: RegExpExecArray, valid: Span): TextGroup | null | 'unreadable' {
  const start = new Date(valid.from)
  let from = msOf(nearestInstant(Number(day ?? start.getUTCDate()), Number(hour), Number(minute), valid.from))
  if (from !== null && day === undefined && from < valid.from) from += DAY_MS
  if (from === null) return 'unreadable'
  const isWithin = from >= valid.from && from < valid.to
  return isWithin ? { change: 'FM', probability: null, from, to: null, tokens: [] } : null
}

const LASTING = new Set<TafChange | null>([null, 'FM', 'BECMG'])

interface TimedPeriod extends DecodedPeriod {
  tokens: string[]
}

function periodsOf(groups: readonly TextGroup[], valid: Span): TimedPeriod[] {
  const lasting = groups.filter(({ change }) => LASTING.has(change))
  return groups.map(({ change, probability, from, to, tokens }) => {
    const next = lasting.find((later) => later.from > from)
    const sky = skyOnly(readGroups(tokens))
    return {
      period_from: isoUtc(from),
      period_to: isoUtc(to ?? next?.from ?? valid.to),
      change,
      probability,
      ...sky,
      tokens,
    }
  })
}

function skyOnly({ temperature_c: _t, dewpoint_c: _d, altimeter_hpa: _a, ...sky }: StatedGroups): Sky {
  return sky
}

/**
 * Fills in what continues. FM starts anew. BECMG changes what prevailed, so what it does not mention stays. TEMPO, INTER
 * and PROB keep only what they state, with the flight category that this makes of what prevails when they begin
 * (Australia lists them last).
 */
function withContinued(periods: readonly TimedPeriod[]): DecodedPeriod[] {
  const prevailing: { from: string; sky: Sky; isMisread: boolean }[] = []
  for (const period of periods.filter(({ change }) => LASTING.has(change))) {
    const before = period.change === 'BECMG' ? prevailing.at(-1) : undefined
    const isMisread = isPartlyUnknown(period, before)
    const sky = continued(period, before?.sky)
    if (isMisread) sky.flight_category = null
    prevailing.push({ from: period.period_from, sky, isMisread })
  }
  const lasting = prevailing.values()
  return periods.map(({ tokens, ...period }) => {
    if (LASTING.has(period.change)) return { ...period, ...lasting.next().value?.sky }
    const before = prevailing.findLast(({ from }) => from <= period.period_from)
    const { flight_category } = continued({ ...period, tokens }, before?.sky)
    return { ...period, flight_category: isPartlyUnknown({ ...period, tokens }, before) ? null : flight_category }
  })
}

/** Whether what a period states, or what continues in it, has groups that are not understood. */
function isPartlyUnknown({ tokens, visibility_sm }: TimedPeriod, before: { isMisread: boolean } | undefined): boolean {
  const isComplete = visibility_sm !== null && mentionsClouds(tokens)
  return unknownGroups(tokens).length > 0 || (before?.isMisread === true && !isComplete)
}

/** A sky with what it does not state taken from the one before. */
function continued({ tokens, ...stated }: TimedPeriod, before: Sky | undefined): Sky {
  const sky = skyOf({ wind: stated, visibility: stated, ceiling: stated, weather: stated.weather })
  if (before === undefined) return sky
  const continuing = before.weather === 'NSW' || tokens.includes('CAVOK') ? null : before.weather
  return skyOf({
    wind: stated.wind_kt === null ? before : stated,
    visibility: stated.visibility_sm === null ? before : stated,
    ceiling: mentionsClouds(tokens) ? stated : before,
    weather: stated.weather ?? continuing,
  })
}
