import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import type { Query, RestRoute } from '../../answers/questions/define.ts'
import { ERROR_CODES } from '../../config/errors.ts'
import { Problem, type WireCode } from './problem.ts'

/** Validator of routes that parse their input themselves; their schema is used only for the OpenAPI document. */
export const skipValidation = () => (value: unknown) => ({ value })

const STATUS_OF: Record<number, { codes: WireCode[]; meaning: string }> = {
  400: {
    codes: ['INVALID_PARAMETER'],
    meaning: 'A parameter, the body or the request itself is invalid; `errors` names every fault.',
  },
  401: { codes: ['INVALID_API_KEY'], meaning: 'The key is missing, malformed, unknown or revoked, or two were sent.' },
  403: { codes: ['PREMIUM_REQUIRED'], meaning: 'The tier of the key is too low. Never retry.' },
  404: { codes: ['NOT_FOUND'], meaning: 'Not found.' },
  405: { codes: ['METHOD_NOT_ALLOWED'], meaning: 'The address does not accept this method; see `Allow`.' },
  406: { codes: ['NOT_ACCEPTABLE'], meaning: 'None of the requested media types is offered.' },
  413: { codes: ['PAYLOAD_TOO_LARGE'], meaning: 'The body is too large.' },
  415: { codes: ['UNSUPPORTED_MEDIA_TYPE'], meaning: 'The body is not application/json.' },
  429: {
    codes: ['rate_limited'],
    meaning: 'A limit was reached; wait for `Retry-After`. A refused call does not count against any limit.',
  },
  500: { codes: ['INTERNAL'], meaning: 'An internal error.' },
  503: {
    codes: ['STATE_UNREACHABLE', 'STATE_UNWRITABLE', 'STATE_DAMAGED', 'GATE_UNAVAILABLE'],
    meaning: 'Temporarily unavailable; wait for `Retry-After`.',
  },
}

/** The problem responses of an operation, for the OpenAPI document; `others` replaces the usual codes of a status. */
export function problemResponses(
  statuses: number[],
  others: Partial<Record<number, WireCode[]>> = {},
): Record<number, unknown> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { codes, meaning } = STATUS_OF[status]!
      const listed = others[status] ?? codes
      const text = listed.includes('AIRPORT_NOT_FOUND') ? `${ERROR_CODES.AIRPORT_NOT_FOUND.title}.` : meaning
      const description = `${listed.map((code) => `\`${code}\``).join(', ')}: ${text}`
      return [status, { description, content: { 'application/problem+json': { schema: Problem } } }]
    }),
  )
}

/** The response to a caller whose If-None-Match names the current entity tag. */
export const NOT_MODIFIED = z.null().describe('The caller already has the current answer (If-None-Match).')

/** Statuses that any operation may answer with: 400 also means that the request is not valid HTTP. */
export const COMMON_STATUSES = [400, 405, 500]
/** Statuses that any operation that requires a key may answer with. */
export const KEY_STATUSES = [401, 429, 503, ...COMMON_STATUSES]

const csvColumns = ({ columns }: NonNullable<RestRoute['csv']>) => `Columns: ${columns.join(', ')}.`

/** The path of the CSV form of an answer. */
export const csvPath = ({ path }: RestRoute) => `${path}.csv`

/** The operation id of the CSV form of a query. */
export const csvOperation = (name: string) => `${name}Csv`

/** The Fastify schema of a query's route, or of its CSV form, from which the OpenAPI document is generated. */
export function queryRouteSchema(query: Query, asCsv: boolean): FastifySchema {
  const { method, path, summary, description, csv } = query.rest!
  const ofAirport = 'iata' in query.input.shape
  const hasIataInPath = path.includes('/:iata')
  const rest = hasIataInPath ? query.input.omit({ iata: true }) : query.input
  const statuses = [400, ...(asCsv ? [] : [406]), ...KEY_STATUSES]
  const others: Partial<Record<number, WireCode[]>> = {
    503: ['NOT_READY', 'STATE_UNREACHABLE', 'STATE_DAMAGED', 'GATE_UNAVAILABLE'],
  }
  if (query.tier !== 'free') statuses.push(403)
  if (ofAirport) {
    statuses.push(404)
    others[404] = ['AIRPORT_NOT_FOUND']
  }
  if (method === 'POST') statuses.push(413, 415)
  const content = asCsv
    ? { 'text/csv': { schema: z.string().describe(csvColumns(csv!)) } }
    : { 'application/json': { schema: query.output } }
  return {
    operationId: asCsv ? csvOperation(query.name) : query.name,
    summary: asCsv ? `${summary}, as CSV` : summary,
    description: asCsv ? `The answer of \`${query.name}\` as CSV.` : description,
    tags: ['airports'],
    security: [{ bearer: [] }, { api_key: [] }],
    ...(hasIataInPath && { params: query.input.pick({ iata: true }) }),
    ...(method === 'GET' && Object.keys(rest.shape).length > 0 && { querystring: rest }),
    ...(method === 'POST' && { body: rest }),
    response: {
      200: { description: 'The answer.', content },
      ...(method === 'GET' && { 304: NOT_MODIFIED }),
      ...problemResponses(statuses, others),
    },
  }
}
