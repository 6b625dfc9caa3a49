import { readFileSync } from 'node:fs'
import type { Query } from '../../answers/questions/define.ts'
import { unknownCode } from '../../answers/questions/find-airport.ts'
import { NO_FIGURES } from '../../answers/statements/no-figures.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HoldshortError, ParameterError, PremiumRequiredError, RateLimitedError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import { StateUnwritableError } from '../state/unreachable.ts'
import { csvText } from './csv.ts'
import type { JsonSchema, OpenApiDocument, OpenApiResponse } from './openapi-types.ts'
import { asHoldshortError, type Problem, problemOf, WIRE_CODES, type WireCode } from './problem.ts'
import { csvOperation } from './route-schema.ts'

/** An answer of each operation, by the name of its schema. A test holds that each is valid. */
export const ANSWER_EXAMPLES: Record<string, object> = JSON.parse(
  readFileSync(projectFile('api', 'rest', 'examples.json'), 'utf8'),
)

/** The beginning of each text answer, by operation. */
export const TEXT_EXAMPLES: Record<string, string> = {
  getLlmsIndex: '# Holdshort\n\n> Airport security waits, FAA delays, hourly predictions and history…',
}

const EXAMPLE_CONTEXT = {
  request_id: '4f1c1a52-6f0e-4f57-9d1b-0f3f6f0d2a11',
  path: '/api/v1/airports/JFK/predictions',
  site_url: 'https://holdshort.example',
}

const plain = (code: WireCode, message: string) => new HoldshortError(code, message)
const ERRORS: Record<WireCode, HoldshortError> = {
  INVALID_PARAMETER: ParameterError.of('days', 'must be at most 7'),
  INVALID_API_KEY: plain('INVALID_API_KEY', 'the API key is unknown or has been revoked'),
  PREMIUM_REQUIRED: new PremiumRequiredError('enterprise', 'predictions beyond 24 hours need Enterprise'),
  AIRPORT_NOT_FOUND: plain('AIRPORT_NOT_FOUND', unknownCode('QQQ', airportDirectory()).message),
  NOT_FOUND: plain('NOT_FOUND', 'your account has no key with this id'),
  METHOD_NOT_ALLOWED: plain('METHOD_NOT_ALLOWED', 'this address accepts GET, HEAD, OPTIONS'),
  NOT_ACCEPTABLE: plain('NOT_ACCEPTABLE', 'this address answers application/json or text/csv'),
  PAYLOAD_TOO_LARGE: plain('PAYLOAD_TOO_LARGE', 'Request body is too large'),
  UNSUPPORTED_MEDIA_TYPE: asHoldshortError({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }),
  rate_limited: new RateLimitedError('minute', 12, 'more than 300 requests in a minute; wait 12 s'),
  INTERNAL: asHoldshortError(null),
  NOT_READY: plain('NOT_READY', NO_FIGURES),
  GATE_UNAVAILABLE: plain('GATE_UNAVAILABLE', 'keys and limits are temporarily unavailable; try again shortly'),
  STATE_UNWRITABLE: new StateUnwritableError('its disk is full', { cause: null }),
  STATE_DAMAGED: plain('STATE_DAMAGED', 'the database of accounts and keys is damaged'),
  STATE_UNREACHABLE: plain(
    'STATE_UNREACHABLE',
    'the database of accounts and keys is temporarily unavailable; try again shortly',
  ),
}

/** A problem as the API answers it. `site_url`: where its documentation stands. */
export const problemExample = (code: WireCode, site_url = EXAMPLE_CONTEXT.site_url): Problem =>
  problemOf(ERRORS[code], { ...EXAMPLE_CONTEXT, site_url }).body

const schemaName = ({ $ref }: JsonSchema) => $ref?.split('/').at(-1) ?? ''

function csvExample({ name, rest, output }: Query): string {
  const { columns, rows } = rest!.csv!
  const answer = ANSWER_EXAMPLES[output.meta()?.id ?? '']
  if (!answer) throw new TypeError(`${name} has no example to write as CSV`)
  return csvText(columns, rows(answer as never))
}

/** The examples of one response: media type, name and value of each. */
function examplesOf(
  queries: readonly Query[],
  operationId: string,
  { description, content = {} }: OpenApiResponse,
): [string, string, unknown][] {
  return Object.entries(content).flatMap(([type, { schema }]): [string, string, unknown][] => {
    if (type === 'application/problem+json')
      return WIRE_CODES.filter((code) => description.includes(`\`${code}\``)).map((code) => [
        type,
        code,
        problemExample(code),
      ])
    if (type === 'text/csv') {
      const query = queries.find(({ name }) => csvOperation(name) === operationId)
      return [[type, operationId, csvExample(query!)]]
    }
    if (type === 'application/json') return [[type, schemaName(schema), ANSWER_EXAMPLES[schemaName(schema)]]]
    return [[type, operationId, TEXT_EXAMPLES[operationId]]]
  })
}

/** Adds an example to every response body; each example is stored once, under the document's components. */
export function addExamples(document: OpenApiDocument, queries: readonly Query[]): void {
  const examples: Record<string, { value: unknown }> = {}
  for (const operations of Object.values(document.paths))
    for (const { operationId = '', responses } of Object.values(operations))
      for (const response of Object.values(responses))
        for (const [type, name, value] of examplesOf(queries, operationId, response)) {
          if (value === undefined) continue
          examples[name] = { value }
          const media = response.content![type]!
          media.examples = { ...media.examples, [name]: { $ref: `#/components/examples/${name}` } }
        }
  document.components.examples = examples
}
