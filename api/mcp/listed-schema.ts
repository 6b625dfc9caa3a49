import { isObject } from '../../config/json-object.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/**
 * The input schema in the tool list: complete, in the keywords that Gemini, Vertex, OpenAI (strict) and Anthropic all take. They
 * refuse the whole request for a list of types, an enumeration without a type, or a keyword beside `anyOf`. It does not say that
 * other arguments are refused, as Google's SDK for Python (since 1.74) and releases of LlamaIndex fail on an `additionalProperties`
 * that is true or false; the answer to a call says it, and hosts of OpenAI's strict mode close the objects themselves.
 */
export function listedInput(schema: object): { type: 'object' } {
  return reduced(inlineRefs(schema) as Json) as { type: 'object' }
}

/** Fields of answers that have one meaning in every tool, so that they are worth their tokens in the list. */
const SHARED_FIELDS = ['recommendation', 'known', 'simulated']

/**
 * The output schema in the tool list: the fields that tools share. Every agent pays tokens for the list, an answer names its own
 * fields, and each is checked against the complete schema before it is sent; the pages of the tools describe them. JSON Schema
 * allows further fields by default; `additionalProperties` says so, because FastMCP's client drops the fields that are not listed.
 */
export function listedOutput(schema: object): { type: 'object' } {
  const { properties = {} } = schema as { properties?: Record<string, JsonObject> }
  const shared = SHARED_FIELDS.filter((name) => name in properties)
  const listed = shared.map((name) => [name, { type: properties[name]!.type! }])
  const listedSchema = { type: 'object' as const, properties: Object.fromEntries(listed), additionalProperties: true }
  return listedSchema
}

/** The description and the error that names the argument explain a longer pattern better. */
const MAX_PATTERN = 30
/** Arguments of this pattern take the name of an airport too (`withAirportCodes`), so the list does not demand a code. */
const AIRPORT_CODE = '^[A-Z]{3}$'

/** Keywords that some hosts refuse, in words: Gemini takes no `format: date`, and OpenAI's strict mode no `default`. */
function describedInWords(description: Json | undefined, format: Json | undefined, preset: Json | undefined): string[] {
  const date = format === 'date' && !String(description).includes('YYYY-MM-DD') ? ['YYYY-MM-DD.'] : []
  return preset === undefined ? date : [...date, `Default: ${preset}.`]
}

/** Removes the parts of an input schema that the tool list does not need, or that a host refuses. */
function reduced(value: Json): Json {
  if (Array.isArray(value)) return value.map(reduced)
  if (!isObject(value)) return value
  const {
    $schema: _dialect,
    minimum,
    maximum,
    pattern,
    format,
    default: preset,
    examples: _examples,
    minLength: _least,
    maxLength: _most,
    additionalProperties: _closed,
    ...rest
  } = value
  const schema: JsonObject = { ...rest }
  // Limits that equal those of a safe integer restrict nothing, and a pattern repeats its format.
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && minimum !== 0) schema.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) schema.maximum = maximum
  if (format !== undefined && format !== 'date') schema.format = format
  if (typeof pattern === 'string' && pattern.length <= MAX_PATTERN && pattern !== AIRPORT_CODE && format === undefined)
    schema.pattern = pattern
  const description = [rest.description ?? [], describedInWords(rest.description, format, preset)].flat().join(' ')
  if (description !== '') schema.description = description
  if (isObject(rest.properties))
    schema.properties = Object.fromEntries(Object.entries(rest.properties).map(([name, part]) => [name, reduced(part)]))
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf']) if (rest[key] !== undefined) schema[key] = reduced(rest[key])
  return describedWithin(withoutNull(schema))
}

/**
 * A schema that allows null as the schema of its other values. An argument that is null counts as left out (`readArguments`), so
 * the input schema need not say so.
 */
export function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (Array.isArray(schema.type)) {
    const [type, ...more] = schema.type.filter((named) => named !== 'null')
    return more.length === 0 ? { ...schema, type: type! } : schema
  }
  if (!Array.isArray(anyOf)) return schema
  const others = anyOf.filter((alternative) => !isObject(alternative) || alternative.type !== 'null')
  if (others.length === anyOf.length) return schema
  const [only] = others
  return others.length === 1 && isObject(only) ? { ...rest, ...only } : { ...rest, anyOf: others }
}

/** A choice of schemas with its description in the first of them: Vertex takes no keyword beside `anyOf`. */
function describedWithin(schema: JsonObject): JsonObject {
  const { anyOf, description } = schema
  if (!Array.isArray(anyOf) || description === undefined) return schema
  const [first, ...more] = anyOf
  return { anyOf: [{ ...(first as JsonObject), description }, ...more] }
}

/**
 * A JSON Schema with its `#/$defs/…` references inlined. Older MCP clients require `type: "object"` at the root, and some
 * follow no references at all. Our schemas are not recursive, so this ends.
 */
export function inlineRefs(schema: object): { type: 'object' } {
  const { $defs = {}, ...root } = schema as { $defs?: { [key: string]: Json } }
  const inline = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inline)
    if (!isObject(value)) return value
    const { $ref, ...rest } = value
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : null
    const target = name === null ? {} : inline($defs[name]!)
    return {
      ...(target as object),
      ...Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, inline(part)])),
    }
  }
  return inline(root as Json) as { type: 'object' }
}
