import { ParseError } from '../../../config/errors.ts'
import { isObject, type JsonObject } from '../../../config/json-object.ts'
import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { notice } from '../../../warehouse/tables/notices.ts'
import type { Collector } from '../../parsing/collector.ts'
import { readJson, rowsAt } from '../../parsing/json.ts'
import { jsonRequest } from '../../parsing/requests.ts'
import { type FaaDocument, fieldsOf, type ReadRow, withoutDuplicates } from './delay-row.ts'

/**
 * A collector of one of the FAA's JSON lists. It has no time of its own (a row's `updatedAt` is when the program was last changed,
 * not that it is still in force), so the fetch time is the observation time. A body that is no list, or none of whose rows is
 * known, is a ParseError.
 */
export const eventCollector = (
  id: string,
  isKnown: (row: JsonObject) => boolean,
  read: ReadRow,
): Collector<'delays'> => ({
  id,
  lands: 'delays',
  transport: 'http',
  request: ({ source }) => [jsonRequest(source.url, null)],
  parse(body, { fetched_at: observed_at, iataOf }) {
    const rows = readJson(body, rowsAt())
    if (rows.length > 0 && !rows.some((row) => isObject(row) && isKnown(row)))
      throw new ParseError('$', 'none of the rows has a known shape')
    const document: FaaDocument = { observed_at, observedMs: Date.parse(observed_at), iataOf, notices: [] }
    const readings: ParsedDelay[] = rows.flatMap((row, index) => {
      const path = `$[${index}]`
      if (isObject(row) && isKnown(row)) return read(fieldsOf(row, path, document), document)
      document.notices.push(
        notice('row_unreadable', 'warning', path, 'The shape of the row is unknown; it is left out.', row),
      )
      return []
    })
    return { readings: withoutDuplicates(readings), notices: document.notices, observed_at: null }
  },
})
