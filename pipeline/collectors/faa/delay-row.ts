import type { JsonObject } from '../../../config/json-object.ts'
import type { UtcInstant } from '../../../config/vocabulary.ts'
import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import type { Notice } from '../../../warehouse/tables/notices.ts'
import { FieldReader } from '../../parsing/fields.ts'
import { parseNotam } from './notam.ts'
import { reasonCategory } from './reason.ts'

/** The FAA document that is being read: its time, the airport codes, and the notices about it. */
export interface FaaDocument {
  observed_at: UtcInstant
  observedMs: number
  iataOf: (id: string) => string | null
  notices: Notice[]
}

/** Reads one row of a document into delays; none when the row is left out. */
export type ReadRow = (fields: FieldReader, document: FaaDocument) => ParsedDelay[]

/** The field reader of one row of a document. */
export function fieldsOf(row: JsonObject, path: string, document: FaaDocument): FieldReader {
  return new FieldReader(row, path, null, document.notices)
}

/** A delay with a known element, type and observation time only. */
export function delayRow(faaId: string, type: ParsedDelay['type'], document: FaaDocument): ParsedDelay {
  return {
    iata: null,
    faa_id: faaId,
    type,
    reason: null,
    reason_category: null,
    average_minutes: null,
    min_minutes: null,
    max_minutes: null,
    trend: null,
    start: null,
    end: null,
    closed_to_airlines: null,
    closed_hours_utc: null,
    scope: null,
    observed_at: document.observed_at,
  }
}

/** Canadian airports are named without the C of their ICAO code (YYZ), and have no FAA id. */
const canadianIata = (id: string, document: FaaDocument) => (/^Y[A-Z]{2}$/.test(id) ? document.iataOf(`C${id}`) : null)

/** The FAA id in a field, with the IATA code of its airport if there is one; null with a notice when the field holds no FAA id. */
export function airportOf(
  fields: FieldReader,
  name: string,
  document: FaaDocument,
): { faaId: string; iata: string | null } | null {
  const faaId = fields.text(name)?.toUpperCase() ?? ''
  if (!/^[A-Z0-9]{3,4}$/.test(faaId)) {
    return fields.warning('row_without_airport', `${name} is not an FAA id; the row is left out.`, faaId)
  }
  const iata = document.iataOf(faaId) ?? canadianIata(faaId, document)
  fields.iata = iata
  if (iata === null) fields.info('airport_unknown', 'No airport of the directory has this FAA id.', faaId)
  return { faaId, iata }
}

/** A reason as published, with its category. */
export function reasonOf(fields: FieldReader, name: string): Pick<ParsedDelay, 'reason' | 'reason_category'> {
  const reason = fields.text(name)
  const category = reason === null ? null : reasonCategory(reason)
  if (reason !== null && category === null) {
    fields.info('reason_unknown', 'The reason is in neither of the known vocabularies.', reason)
  }
  return { reason, reason_category: category }
}

type DelayMinutes = Pick<ParsedDelay, 'average_minutes' | 'min_minutes' | 'max_minutes'>

/** The minutes of one delay as published. */
interface StatedMinutes {
  average?: number | null
  shortest?: number | null
  longest?: number | null
}

/**
 * The minutes of one delay as far as they agree. A longest delay of 0 beside a larger average means unknown (feed of
 * 2011-06-22). An average outside of its own range is left out (SEA: 30 beside 31 to 45), and a range whose ends are
 * exchanged too; each gets a notice.
 */
export function agreeingMinutes(fields: FieldReader, { average, shortest, longest }: StatedMinutes): DelayMinutes {
  const average_minutes = average ?? null
  const min_minutes = shortest ?? null
  const isUnknown = longest === 0 && average_minutes !== null && average_minutes > 0
  const max_minutes = isUnknown ? null : (longest ?? null)
  const lowest = min_minutes ?? 0
  const highest = max_minutes ?? Number.POSITIVE_INFINITY
  const published = { average, shortest, longest }
  if (lowest > highest) {
    fields.warning('range_reversed', 'The shortest delay is above the longest; both are left out.', published)
    return { average_minutes, min_minutes: null, max_minutes: null }
  }
  const isWithin = average_minutes === null || (average_minutes >= lowest && average_minutes <= highest)
  if (isWithin) return { average_minutes, min_minutes, max_minutes }
  fields.info('average_outside_range', 'The average is outside of its own range; it is left out.', published)
  return { average_minutes: null, min_minutes, max_minutes }
}

function identityOf({ faa_id, type, reason, start }: ParsedDelay): string {
  const notam = type === 'closure' && reason ? parseNotam(reason).id : null
  return JSON.stringify(notam ? [faa_id, type, notam] : [faa_id, type, reason, start])
}

/** Removes repeated rows and keeps the first: the FAA lists closures in two blocks, and one NOTAM may be in both. */
export function withoutDuplicates(rows: ParsedDelay[]): ParsedDelay[] {
  const first = new Map<string, ParsedDelay>()
  for (const row of rows) {
    const key = identityOf(row)
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}
