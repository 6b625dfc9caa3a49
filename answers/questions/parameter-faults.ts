import { z } from 'zod'
import { ParameterError, type ParameterFault } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import { cleanText, hiddenTextPaths, MAX_NAME_CHARACTERS, NOT_PLAIN } from '../../config/untrusted-text.ts'
import { meantName, meantValueText, notCountedText } from './meant-parameters.ts'
import { schemaAt, withoutWrappers } from './schema-at.ts'

const REQUIRED = 'is required'
const NOT_VALID = 'is not valid'
const NO_LIST = 'must be a list'
const NO_OBJECT = 'must be an object'

/** Faults that are listed: whoever sends hundreds corrects them by the first. */
const MAX_FAULTS = 20
/** Values of an input, those within lists and objects included. The longest real one, 200 trips, has 800. */
const MAX_VALUES = 2_000

/** The errors of an input, one for each wrong parameter; the error of an unknown parameter lists the known ones. */
export function parameterFaults(
  error: z.core.$ZodError,
  input: z.ZodObject,
  known: readonly string[] = Object.keys(input.shape),
): ParameterFault[] {
  const faults = new Map<string, ParameterFault>()
  // A value of the wrong type often has the wrong length too: only the first error of a parameter is reported.
  const add = (fault: ParameterFault) => {
    if (!faults.has(fault.parameter)) faults.set(fault.parameter, fault)
  }
  for (const issue of error.issues) {
    if (faults.size >= MAX_FAULTS) break
    if (issue.code !== 'unrecognized_keys') {
      const text = numberMessage(issue, input) ?? messageOf(issue)
      const message = withExpected(text, schemaAt(input, issue.path), issue.path)
      add({ parameter: parameterName(issue.path), message: `${message}${meantValueText(issue, input)}` })
      continue
    }
    const names = issue.path.length === 0 ? known : fieldNames(input, issue.path)
    for (const [index, key] of issue.keys.slice(0, MAX_FAULTS).entries()) {
      // The list is given once, however many parameters are unknown.
      const listed = names.length > 0 ? `known: ${names.join(', ')}` : 'this takes none'
      const list = index === 0 ? `; ${listed}` : ''
      const meant = meantName(key, names)
      const hint = meant === null ? notCountedText(key) : `; ${meant} may be meant`
      const message = `is not a known parameter${list}${hint}`
      add({ parameter: parameterName([...issue.path, key]), message, is_unknown: true })
    }
  }
  return [...faults.values()].slice(0, MAX_FAULTS)
}

/** The names of the fields of an entry of an input, by the path that leads to it. */
function fieldNames(input: z.ZodType, path: readonly PropertyKey[]): string[] {
  const entry = withoutWrappers(schemaAt(input, path))
  return entry instanceof z.ZodObject ? Object.keys(entry.shape) : []
}

const MAX_EXPECTED = 160
const KINDS = ['a list', 'an object']
const UNEXPLAINED: ReadonlySet<string> = new Set([REQUIRED, NOT_VALID, NO_LIST, NO_OBJECT])

/** The message of a missing or unreadable parameter with what it must be, which only its schema says. */
function withExpected(message: string, schema: unknown, path: readonly PropertyKey[]): string {
  const isExplained = path.length === 1 || message === NO_OBJECT
  if (!isExplained || !(schema instanceof z.ZodType) || !UNEXPLAINED.has(message)) return message
  // An example of one form would hide the others of a union.
  const expected = message === NOT_VALID ? describedText(schema) : expectedText(schema)
  if (expected === null) return message
  const repeated = KINDS.find((kind) => message.endsWith(kind) && expected.startsWith(kind))
  return repeated === undefined
    ? `${message} (${expected.slice(0, MAX_EXPECTED)})`
    : `${message}${expected.slice(repeated.length, MAX_EXPECTED)}`
}

/** The expected value of a parameter: an example of it, the fields of its entries, or the first sentence of its description. */
function expectedText(schema: z.ZodType): string | null {
  const { examples } = schema.meta() ?? {}
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  if (example !== undefined) return `like ${typeof example === 'string' ? example : JSON.stringify(example)}`
  const plain = withoutWrappers(schema)
  const entries = plain instanceof z.ZodArray ? plain.element : plain
  const list = plain instanceof z.ZodArray ? 'a list of objects' : 'an object'
  if (entries instanceof z.ZodObject) return `${list} with ${Object.keys(entries.shape).join(', ')}`
  return describedText(schema)
}

/** The first sentence of a description; "e.g. LH" does not end one. */
const describedText = (schema: z.ZodType) => schema.description?.split(/(?<!\be\.g)\. /)[0]?.replace(/[.]$/, '') ?? null

/** Refuses an input with more values than any operation reads, before anything looks at each. @throws ParameterError */
export function refuseManyValues(input: unknown): void {
  const fields = isObject(input) ? input : { body: input }
  let found = 0
  // No list of the fields is made: there may be very many.
  for (const parameter in fields) {
    const rest = [fields[parameter]]
    while (rest.length > 0) {
      found++
      if (found + rest.length > MAX_VALUES)
        throw ParameterError.of(cleanText(parameter, MAX_NAME_CHARACTERS), TOO_MANY_VALUES)
      const value = rest.pop()
      if (typeof value !== 'object' || value === null) continue
      const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
      // A list of any length is not copied.
      for (let index = 0; index < inner.length && index <= MAX_VALUES; index++) rest.push(inner[index])
    }
  }
}

const TOO_MANY_VALUES = `must not have more than ${MAX_VALUES} values, together with the other parameters`

/**
 * Refuses an input with a text that is not plain, whatever its schema says of it, so that no field can be forgotten.
 * @throws ParameterError that names each such field, or says that there are too many values
 */
export function refuseHiddenText(input: unknown): void {
  refuseManyValues(input)
  const paths = hiddenTextPaths(input)
  if (paths.length > 0)
    throw new ParameterError(
      paths.slice(0, MAX_FAULTS).map((path) => ({ parameter: path === '' ? 'body' : path, message: NOT_PLAIN })),
    )
}

const EXPECTED_TYPE: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a whole number',
  boolean: 'must be true or false',
  string: 'must be a string',
  array: NO_LIST,
  object: NO_OBJECT,
  record: NO_OBJECT,
}

const SIZE_UNITS: Record<string, { verb: string; unit: string }> = {
  string: { verb: 'have', unit: ' characters' },
  array: { verb: 'have', unit: ' entries' },
}

/** The default messages of zod; a schema's own message is used as it is. */
const ZOD_MESSAGE = /^(Too (big|small)|Invalid (option|ISO)|Invalid input)\b/

function boundMessage(origin: string, limit: string): string {
  const { verb, unit } = SIZE_UNITS[origin] ?? { verb: 'be', unit: '' }
  return `must ${verb} ${limit}${unit}`
}

/** The fault of a number with its whole range, whichever end or type was wrong; null for other values, and where a schema has a message of its own. */
function numberMessage(issue: z.core.$ZodIssue, input: z.ZodObject): string | null {
  if (!ZOD_MESSAGE.test(issue.message) || messageOf(issue) === REQUIRED) return null
  const schema = withoutWrappers(schemaAt(input, issue.path))
  if (!(schema instanceof z.ZodNumber)) return null
  const kind = `must be a ${schema.isInt ? 'whole ' : ''}number`
  const { minValue, maxValue } = schema
  const [hasMin, hasMax] = [minValue, maxValue].map((bound) => Math.abs(bound ?? Infinity) < Number.MAX_SAFE_INTEGER)
  if (hasMin && hasMax) return `${kind} from ${minValue} to ${maxValue}`
  if (hasMin) return `${kind}, at least ${minValue}`
  return hasMax ? `${kind}, at most ${maxValue}` : kind
}

/** The fault of a value, in terms of the API instead of zod's. */
export function messageOf(issue: z.core.$ZodIssue): string {
  if (!ZOD_MESSAGE.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      if (issue.path.length > 0 && issue.message.endsWith('received undefined')) return REQUIRED
      return EXPECTED_TYPE[issue.expected] ?? issue.message
    case 'too_big':
      return boundMessage(issue.origin, `at most ${issue.maximum}`)
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return boundMessage(issue.origin, `at least ${issue.minimum}`)
    case 'invalid_value': {
      const listed = `one of ${issue.values.map(String).join(', ')}`
      // Only some parsers report the input.
      return 'input' in issue && issue.input === undefined ? `${REQUIRED}: ${listed}` : `must be ${listed}`
    }
    case 'invalid_format':
      if (issue.format === 'date') return 'must be a date that exists, YYYY-MM-DD'
      if (issue.format === 'datetime') return 'must be an instant in UTC, YYYY-MM-DDThh:mm:ssZ'
      return issue.message
    case 'invalid_union':
      return NOT_VALID
    default:
      return issue.message
  }
}

/** The name of a parameter from its path: `codes[3]` from ["codes", 3]. */
export function parameterName(path: PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      return index > 0 ? `.${String(key)}` : String(key)
    })
    .join('')
}
