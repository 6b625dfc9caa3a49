import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson, fromPage } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { queueUnknown, rowUnreadable, saysStale } from '../parsing/left-out.ts'
import { type Place, readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { isoClock } from '../parsing/wall-clock.ts'

const TERMINALS = ['2', '3', '4', '5']
const AREAS: Record<string, string> = { N: 'North', S: 'South' }

/** What each type of checkpoint is for; a source asks for one kind, and rows of another are left out. */
const TYPES: Record<string, { kind: 'security' | 'immigration'; lane: Lane; name: string }> = {
  securityStandard: { kind: 'security', lane: 'standard', name: 'Security' },
  securityFastTrack: { kind: 'security', lane: 'priority', name: 'Security' },
  immigrationEEA: { kind: 'immigration', lane: 'all', name: 'UK and EEA passports' },
  immigrationNonEEA: { kind: 'immigration', lane: 'all', name: 'Other passports' },
}

/** Heathrow: one answer a terminal; security and immigration are two sources of the same shape. */
export const lhrPihub: Collector<'readings'> = {
  id: 'lhr-pihub',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) =>
      TERMINALS.map((terminal) => askJson(`${source.url}/${terminal}`, iata, fromPage(source.page_url ?? source.url))),
    ),
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  if (!isObject(row) || !isObject(row.checkpointFacility)) return rowUnreadable(row, { path, iata, notices })
  const facility = row.checkpointFacility
  const code = codeOf(facility.checkpointFacilityType)
  const type = Object.hasOwn(TYPES, code) ? TYPES[code] : undefined
  if (type === undefined || type.kind !== context.source.kind)
    return queueUnknown(code, place('checkpointFacility.checkpointFacilityType.code'))
  const area = textOf(facility.area).toUpperCase()
  const message = textOf(row.waitTimeMessage) || textOf(row.waitTimeRangeMinutes)
  return {
    kind: type.kind,
    iata,
    terminal: codeOf(facility.terminalFacility),
    checkpoint: [type.name, AREAS[area] ?? area].filter(Boolean).join(' '),
    lane: type.lane,
    // Without an offset it is London's clock, as public clients read it; were it UTC, summer readings would look older.
    ...observedAt(
      isoClock(row.lastUpdated, context.timezoneOf(iata), context.fetched_at),
      row.lastUpdated,
      context,
      place('lastUpdated'),
    ),
    wait_minutes: null,
    ...(row.isDataStale === true ? staleWait(place('isDataStale')) : range(row, path, iata, notices)),
    wait_text: row.isDataStale === true || message === '' ? null : message,
    status: /\bclosed\b/i.test(message) ? 'closed' : 'unknown',
  }
}

const codeOf = (value: unknown): string => (isObject(value) ? textOf(value.code) : '')

function staleWait(place: Place) {
  return { wait_minutes_low: saysStale(true, place), wait_minutes_high: null }
}

/** Shortest and longest wait, each with the unit that it names; a negative one is the source's word for none. */
function range(row: JsonObject, path: string, iata: string, notices: Notice[]) {
  const measurements = Array.isArray(row.queueMeasurements) ? row.queueMeasurements : []
  const named = (name: string) => {
    const at = measurements.findIndex((one) => isObject(one) && one.name === name)
    const one: unknown = measurements[at]
    if (!isObject(one)) return null
    const place = { path: `${path}.queueMeasurements[${at}]`, iata, notices }
    const unit = isObject(one.unitOfMeasurement) ? textOf(one.unitOfMeasurement.name).toLowerCase() : ''
    if (unit.startsWith('min')) return readMinutes(one.value, 'minutes', place)
    if (unit.startsWith('sec')) return readMinutes(one.value, 'seconds', place)
    notices.push(notice('unit_unknown', 'warning', place.path, 'The unit of a wait is not known.', one.value, iata))
    return null
  }
  return { wait_minutes_low: named('minimumWaitTime'), wait_minutes_high: named('maximumWaitTime') }
}
