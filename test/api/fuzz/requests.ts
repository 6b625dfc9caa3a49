import fc, { type Arbitrary } from 'fast-check'
import { newKey } from '../../../api/state/key-format.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_ENCODED,
  HOSTILE_JSON,
  HOSTILE_NAMES,
  HOSTILE_TEXTS,
  ODD_HEADERS,
  type RawBody,
} from './hostile.ts'
import type { Operation, Parameter } from './operations.ts'
import { boundary, valid } from './values.ts'

/**
 * A generated request, printed when it fails. Texts in braces are placeholders for values of the run: `{pro}` for a key of
 * that tier, `{spare}` for the id of a key that may be revoked, `{etag}` for the tag of the answer.
 */
export interface FuzzRequest {
  method: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | null
  /** Sent while no snapshot has been published yet. */
  starting: boolean
}

/** Values that exist in the test app, by the name of their parameter or property. */
const EXISTING_VALUES: Record<string, string[]> = {
  iata: ['JFK', 'LGA', 'GRU', 'DEL', 'XSM'],
  destination: ['LGA', 'GRU', 'DEL'],
  codes: ['JFK', 'LGA', 'GRU', 'DEL', 'XSM'],
  keyId: ['{spare}', '{revoked}', '{other}'],
  country: ['US', 'br', 'IN'],
  q: ['new york', 'JFK', 'são'],
}

const mostly = <T>(usual: Arbitrary<T>, ...seldom: Arbitrary<T>[]) =>
  fc.oneof({ weight: 6 * seldom.length, arbitrary: usual }, ...seldom)

/** A parameter's value as it appears in the URL. */
function urlValue({ name, schema, in: place, example }: Parameter): Arbitrary<string> {
  const encoded = (value: unknown) => {
    const text = String(value)
    return text.startsWith('{') ? text : encodeURIComponent(text)
  }
  const empty = place === 'path' ? [] : [fc.constant('')]
  return mostly(
    valid({ ...schema, examples: [example] }, EXISTING_VALUES[name]).map(encoded),
    boundary(schema).map(encoded),
    fc.constantFrom(...HOSTILE_TEXTS).map((text) => encodeURIComponent(text)),
    fc.constantFrom(...HOSTILE_ENCODED),
    ...empty,
  )
}

function urlOf({ path, parameters }: Operation): Arbitrary<string> {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query')
  const pairOf = (parameter: Parameter) => fc.tuple(fc.constant(parameter.name), urlValue(parameter))
  const known = ofQuery.map(pairOf)
  const unknown = fc.tuple(
    fc.constantFrom(...HOSTILE_NAMES).map((name) => encodeURIComponent(name)),
    fc.constantFrom('1', '', '%00', 'true'),
  )
  const some = (pairs: Arbitrary<[string, string]>[]) =>
    pairs.length > 0 ? fc.array(fc.oneof(...pairs), { maxLength: 3 }) : fc.constant([])
  // Without its required parameters a request gets nowhere, so most have them.
  const usual = fc
    .tuple(
      fc.tuple(...ofQuery.filter(({ required }) => required).map(pairOf)),
      some(ofQuery.filter(({ required }) => !required).map(pairOf)),
    )
    .map(([required, optional]) => [...required, ...optional])
  const query = fc.oneof(
    { weight: 7, arbitrary: usual },
    { weight: 1, arbitrary: some(known) },
    { weight: 1, arbitrary: fc.array(fc.oneof(...known, unknown), { maxLength: 5 }) },
  )
  return fc
    .tuple(fc.record(Object.fromEntries(ofPath.map((parameter) => [parameter.name, urlValue(parameter)]))), query)
    .map(([values, pairs]) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
      return pairs.length === 0 ? filled : `${filled}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
    })
}

const WRONG_AUTHORIZATIONS = [
  'Bearer',
  'Bearer ',
  'Basic {pro}',
  '{pro}',
  'Bearer {pro}x',
  `Bearer ${newKey('agent')}`,
  'Bearer {revoked_key}',
]
const WRONG_API_KEYS = [
  '',
  '{pro} ',
  '{pro}, {pro}',
  '\u00fc',
  'hs_live_',
  'a'.repeat(5_000),
  '__proto__',
  "' OR 1=1 --",
]

const KEYS: Arbitrary<Record<string, string>> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.constantFrom('{enterprise}', '{enterprise}', '{pro}', '{pro}', '{free}'), fc.nat(3))
      .map(([key, form]): Record<string, string> => {
        if (form === 0) return { 'x-api-key': key }
        return { authorization: `${form === 1 ? 'bearer' : 'Bearer'} ${key}` }
      }),
  },
  fc.constantFrom<Record<string, string>>(
    {},
    ...WRONG_AUTHORIZATIONS.map((authorization) => ({ authorization })),
    ...WRONG_API_KEYS.map((key) => ({ 'x-api-key': key })),
    { authorization: 'Bearer {pro}', 'x-api-key': '{pro}' },
    { authorization: 'Bearer {free}', 'x-api-key': '' },
  ),
)

function bodyOf({ body, method }: Operation): Arbitrary<RawBody | null> {
  const hostile = fc.constantFrom(...HOSTILE_BODIES)
  if (!body) return method === 'DELETE' ? mostly<RawBody | null>(fc.constant(null), hostile) : fc.constant(null)
  const json = (value: unknown): RawBody => ({
    payload: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  })
  return fc.oneof<Arbitrary<RawBody | null>[]>(
    valid(body, EXISTING_VALUES.codes).map(json),
    boundary(body).map(json),
    fc.constantFrom(...HOSTILE_JSON).map(json),
    hostile,
    fc.constant(null),
  )
}

const MATCHING_ETAG = { 'if-none-match': '{etag}' }
const ODD_METHODS = ['OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', 'GET', 'TRACE', 'PROPFIND', 'QUERY']

/** Valid, boundary and hostile requests of an operation: mostly one oddity at a time, so that it gets somewhere. */
export function requestsOf(operation: Operation): Arbitrary<FuzzRequest> {
  const { method } = operation
  return fc
    .record({
      method: fc.oneof(
        { weight: 24, arbitrary: fc.constant(method) },
        { weight: 4, arbitrary: fc.constant('HEAD') },
        fc.constantFrom(...ODD_METHODS),
      ),
      url: urlOf(operation),
      key: KEYS,
      odd: mostly(
        fc.constant<Record<string, string>[]>([]),
        fc.array(fc.constantFrom(...ODD_HEADERS), { minLength: 1, maxLength: 1 }),
        fc.array(fc.constantFrom(...ODD_HEADERS), { minLength: 1, maxLength: 1 }),
        fc.array(fc.constantFrom(...ODD_HEADERS), { minLength: 1, maxLength: 4 }),
      ),
      condition: fc.integer({ min: 0, max: 9 }).map((n): Record<string, string> => (n === 9 ? MATCHING_ETAG : {})),
      body: bodyOf(operation),
      starting: fc.integer({ min: 0, max: 40 }).map((number) => number === 40),
    })
    .map(({ key, odd, condition, body, ...request }) => ({
      ...request,
      headers: Object.assign({}, condition, ...odd, body?.headers, key) as Record<string, string>,
      payload: body?.payload ?? null,
    }))
}
