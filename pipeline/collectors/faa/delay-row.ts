import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import type { Notice } from '../../../warehouse/tables/notices.ts'
import { FieldReader } from '../../parsing/fields.ts'
import type { JsonObject } from '../../parsing/json.ts'
import { parseNotam } from './notam.ts'
import { reasonCategory } from './reason.ts'

/** One FAA document being read: what its rows need to know, and where their notices go. */
export interface FaaDocument {
  observed_at: UtcInstant
  observedMs: number
  iataOf: (id: string) => string | null
  notices: Notice[]
}

export type ReadRow = (fields: FieldReader, document: FaaDocument) => ParsedDelay[]

/** FieldReader of one row of a document. */
export function fieldsOf(row: JsonObject, path: string, document: FaaDocument): FieldReader {
  return new FieldReader(row, path, null, document.notices)
}

/** A row of which nothing is known but what it is and when it was so. */
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

/** Canadian airports come without the C of their ICAO code (YYZ), and are in no list of FAA ids. */
const canadian = (id: string, document: FaaDocument) => (/^Y[A-Z]{2}$/.test(id) ? document.iataOf(`C${id}`) : null)

/** The FAA id of an airport in `name` (usually its IATA code; Canadian airports occur) with the IATA code, if any. */
export function airportOf(
  fields: FieldReader,
  name: string,
  document: FaaDocument,
): { faaId: string; iata: string | null } | null {
  const faaId = fields.text(name)?.toUpperCase() ?? ''
  if (!/^[A-Z0-9]{3,4}$/.test(faaId)) {
    return fields.warning('row_without_airport', `${name} is not an FAA id; the row is left out`, faaId)
  }
  const iata = document.iataOf(faaId) ?? canadian(faaId, document)
  fields.iata = iata
  if (iata === null) fields.info('airport_unknown', 'no airport of the directory has this FAA id', faaId)
  return { faaId, iata }
}

/** A reason as published, with its category in our words. */
export function reasonOf(fields: FieldReader, name: string): Pick<ParsedDelay, 'reason' | 'reason_category'> {
  const reason = fields.text(name)
  const category = reason === null ? null : reasonCategory(reason)
  if (reason !== null && category === null) {
    fields.info('reason_unknown', 'a reason in neither of the vocabularies we know', reason)
  }
  return { reason, reason_category: category }
}

function identity({ faa_id, type, reason, start }: ParsedDelay): string {
  const notam = type === 'closure' && reason ? parseNotam(reason).id : null
  return JSON.stringify(notam ? [faa_id, type, notam] : [faa_id, type, reason, start])
}

/** Drops repeated rows: the FAA lists closures in two blocks, and one NOTAM may stand in both. The first one stays. */
export function withoutDuplicates(rows: ParsedDelay[]): ParsedDelay[] {
  const first = new Map<string, ParsedDelay>()
  for (const row of rows) {
    const key = identity(row)
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}
