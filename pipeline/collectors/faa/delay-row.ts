import type { UtcInstant } from '../../../config/domain.ts'
import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import type { Notice } from '../../../warehouse/tables/notices.ts'
import { Fields, type UntrustedRow } from '../../parsing/fields.ts'
import { reasonCategory } from './reason.ts'

/** One FAA document being read: what its rows need to know, and where their notices go. */
export interface FaaDocument {
  observed_at: UtcInstant
  observedMs: number
  iataOf: (id: string) => string | null
  notices: Notice[]
}

export type ReadRow = (fields: Fields, document: FaaDocument) => ParsedDelay[]

/** Fields of one row of a document. */
export function fieldsOf(row: UntrustedRow, path: string, document: FaaDocument): Fields {
  return new Fields(row, path, document.notices)
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
  fields: Fields,
  name: string,
  document: FaaDocument,
): { faaId: string; iata: string | null } | null {
  const faaId = fields.text(name)?.toUpperCase() ?? ''
  if (!/^[A-Z0-9]{3,4}$/.test(faaId)) {
    return fields.note('row_without_airport', 'warning', `${name} is not an FAA id; the row is left out`, faaId)
  }
  const iata = document.iataOf(faaId) ?? canadian(faaId, document)
  fields.iata = iata
  if (iata === null) fields.note('airport_unknown', 'info', 'no airport of the directory has this FAA id', faaId)
  return { faaId, iata }
}

/** A reason as published, with its category in our words. */
export function reasonOf(fields: Fields, name: string): Pick<ParsedDelay, 'reason' | 'reason_category'> {
  const reason = fields.text(name)
  const category = reason === null ? null : reasonCategory(reason)
  if (reason !== null && category === null) {
    fields.note('reason_unknown', 'info', 'a reason in neither of the vocabularies we know', reason)
  }
  return { reason, reason_category: category }
}
