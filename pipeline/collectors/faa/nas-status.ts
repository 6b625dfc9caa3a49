import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { ParseError } from '../../../config/errors.ts'
import { isObject, type JsonObject } from '../../../config/json-object.ts'
import { CLOCK_AHEAD_MS } from '../../../config/vocabulary.ts'
import { notice } from '../../../warehouse/tables/notices.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import type { Collector, ParseContext, Parsed } from '../../parsing/collector.ts'
import { asList } from '../../parsing/fields.ts'
import { type FaaDocument, fieldsOf, type ReadRow, withoutDuplicates } from './delay-row.ts'
import { airportClosure, airspaceFlow, arrivalDeparture, ctop, groundDelay, groundStop } from './nas-status-rows.ts'
import { updateTimeMs } from './times.ts'

/**
 * Status of the US National Airspace System: one XML document with every program and closure in force. The
 * address answers with XML whatever the Accept header says.
 */
export const faaNasStatus: Collector<'delays'> = {
  id: 'faa-nas-status',
  lands: 'delays',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'application/xml' }, body: null, iata: null },
  ],
  parse: (body, context) => {
    const parsed = readStatusTree(statusTree(body), context)
    if (Date.parse(parsed.observed_at) > Date.parse(context.fetched_at) + CLOCK_AHEAD_MS)
      throw new ParseError('$.AIRPORT_STATUS_INFORMATION.Update_Time', `is after the fetch: ${parsed.observed_at}`)
    return parsed
  },
}

/** The lists that a Delay_type may hold. Its Name varies over the years and repeats, so it is not read. */
const LISTS = new Map<string, { row: string; read: ReadRow }>([
  ['Ground_Stop_List', { row: 'Program', read: groundStop }],
  ['Ground_Delay_List', { row: 'Ground_Delay', read: groundDelay }],
  ['Arrival_Departure_Delay_List', { row: 'Delay', read: arrivalDeparture }],
  ['Airport_Closure_List', { row: 'Airport', read: airportClosure }],
  ['Airspace_Flow_List', { row: 'Airspace_Flow', read: airspaceFlow }],
  ['CTOP_List', { row: 'CTOP', read: ctop }],
])

const ROW_NAMES = [...LISTS.values()].map(({ row }) => row)
const REPEATED = new Set(['Delay_type', 'Arrival_Departure', 'FCA', 'Point', ...LISTS.keys(), ...ROW_NAMES])

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => REPEATED.has(name),
})

/** A day with every program in force has some thousand. */
const MAX_ELEMENTS = 50_000

/**
 * Parses the document into a tree. Attributes and elements share their names, and values stay text (0459 is a time).
 * @throws ParseError when the body is not well-formed XML, or has more elements than any day could
 */
function statusTree(body: string): unknown {
  if (body.split('<', MAX_ELEMENTS * 2 + 2).length > MAX_ELEMENTS * 2 + 1)
    throw new ParseError('$', `has over ${MAX_ELEMENTS} elements`)
  try {
    const valid = XMLValidator.validate(body)
    if (valid !== true) throw new ParseError('$', `is not XML: ${valid.err.msg}`)
    return xml.parse(body)
  } catch (cause) {
    throw cause instanceof ParseError ? cause : new ParseError('$', 'is not XML', { cause })
  }
}

function readDelayType(delayType: unknown, path: string, document: FaaDocument) {
  const lists = isObject(delayType) ? Object.keys(delayType).filter((name) => name !== 'Name') : []
  const known = lists.filter((name) => LISTS.has(name))
  if (known.length < lists.length || known.length === 0) {
    const message = 'The kind of delay is unknown.'
    document.notices.push(notice('delay_type_unknown', 'warning', path, message, delayType))
  }
  return known.flatMap((name) => {
    const { row: rowName, read } = LISTS.get(name)!
    const rows = asList((delayType as JsonObject)[name]).flatMap((list) =>
      asList(isObject(list) ? list[rowName] : list),
    )
    return rows.flatMap((row, index) => {
      const rowPath = `${path}.${name}.${rowName}[${index}]`
      if (isObject(row)) return read(fieldsOf(row, rowPath, document), document)
      document.notices.push(
        notice('row_unreadable', 'warning', rowPath, 'The row is not an object; it is left out.', row),
      )
      return []
    })
  })
}

/**
 * Reads the rows of a whole status document. A quiet system has no Delay_type at all: that is valid and gives no rows.
 * @throws ParseError when the tree is not an FAA status document or has no readable Update_Time
 */
export function readStatusTree(
  tree: unknown,
  context: Pick<ParseContext, 'iataOf'>,
): Parsed<'delays'> & { observed_at: string } {
  const root = isObject(tree) ? tree.AIRPORT_STATUS_INFORMATION : undefined
  if (!isObject(root)) throw new ParseError('$', 'has no AIRPORT_STATUS_INFORMATION')
  const updateTime = root.Update_Time
  const observedMs = typeof updateTime === 'string' ? updateTimeMs(updateTime) : null
  const observed_at = observedMs === null ? null : instantOfMs(observedMs)
  if (observedMs === null || observed_at === null) {
    throw new ParseError('$.AIRPORT_STATUS_INFORMATION.Update_Time', 'is not the time of the document')
  }
  const document: FaaDocument = { observed_at, observedMs, iataOf: context.iataOf, notices: [] }
  const rows = asList(root.Delay_type).flatMap((delayType, index) =>
    readDelayType(delayType, `$.AIRPORT_STATUS_INFORMATION.Delay_type[${index}]`, document),
  )
  return { readings: withoutDuplicates(rows), notices: document.notices, observed_at }
}
