import { isObject } from './json-object.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** The input schema in the tool list: complete, without keywords that every client assumes. */
export function listedInput(schema: object): { type: 'object' } {
  return reduced(inlineRefs(schema) as Json) as { type: 'object' }
}

/** Keywords of an output schema that are left out of the list: every agent pays tokens for it, and every answer is checked
 * against the complete schema before it is sent. Names and types stay, down to the last property. */
const CHECKED_BEFORE_SENDING = new Set([
  '$schema',
  'additionalProperties',
  'default',
  'description',
  'examples',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'required',
])

/**
 * The output schema in the tool list: every property and its type, at every depth. An object that occurs twice is defined
 * once, under `$defs`.
 */
export function listedOutput(schema: object): { type: 'object' } {
  const listed = typesOf(inlineRefs(schema) as Json)
  return withDefinitions(listed as JsonObject) as { type: 'object' }
}

/** A schema with its properties and types alone. */
function typesOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(typesOf)
  if (!isObject(value)) return value
  const schema: JsonObject = {}
  for (const [keyword, part] of Object.entries(value)) {
    if (CHECKED_BEFORE_SENDING.has(keyword)) continue
    schema[keyword] =
      keyword === 'properties' && isObject(part)
        ? Object.fromEntries(Object.entries(part).map(([name, property]) => [name, typesOf(property)]))
        : typesOf(part)
  }
  // An enumeration or constant has its type in its values.
  if (schema.enum !== undefined || schema.const !== undefined) delete schema.type
  return nullable(schema)
}

/** Shorter objects cost less where they stand than as a reference. */
const MIN_DEFINITION_CHARACTERS = 120

/** Moves objects that occur more than once in a schema to its `$defs`. */
function withDefinitions(schema: JsonObject): JsonObject {
  const counts = new Map<string, number>()
  const count = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value) && value.properties !== undefined) {
      const text = JSON.stringify(value)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    for (const part of Object.values(value)) count(part)
  }
  count(schema)
  const repeated = [...counts].filter(([text, times]) => times > 1 && text.length >= MIN_DEFINITION_CHARACTERS)
  if (repeated.length === 0) return schema
  const names = new Map(repeated.map(([text], index) => [text, `d${index + 1}`]))
  const $defs: JsonObject = {}
  const refer = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(refer)
    if (!isObject(value)) return value
    const name = names.get(JSON.stringify(value))
    const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, refer(part)]))
    if (name === undefined) return parts
    $defs[name] = parts
    return { $ref: `#/$defs/${name}` }
  }
  return { ...(refer(schema) as JsonObject), $defs }
}

/** Removes the parts of an input schema that the tool list does not need. */
function reduced(value: Json): Json {
  if (Array.isArray(value)) return value.map(reduced)
  if (!isObject(value)) return value
  const { $schema: _dialect, minimum, maximum, pattern, ...rest } = value
  const schema: JsonObject = { ...rest }
  // Limits that equal those of a safe integer restrict nothing, and a pattern repeats its format.
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER) schema.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) schema.maximum = maximum
  if (pattern !== undefined && rest.format === undefined) schema.pattern = pattern
  if (isObject(rest.properties))
    schema.properties = Object.fromEntries(Object.entries(rest.properties).map(([name, part]) => [name, reduced(part)]))
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf']) if (rest[key] !== undefined) schema[key] = reduced(rest[key])
  return nullable(schema)
}

/** Writes `anyOf: [schema, null]` in the shorter form `type: [..., 'null']`, where possible. */
function nullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, none] = anyOf as [Json, Json]
  if (!isObject(one) || !isObject(none) || none.type !== 'null') return schema
  if (Array.isArray(one.enum)) return { ...rest, enum: [...one.enum, null] }
  return typeof one.type === 'string' ? { ...rest, ...one, type: [one.type, 'null'] } : schema
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
