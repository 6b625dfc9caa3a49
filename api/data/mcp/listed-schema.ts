import { isObject } from './json-object.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/**
 * The input schema in the tool list: complete, in the keywords that Gemini, Vertex, OpenAI (strict) and Anthropic all take. They
 * refuse the whole request for a list of types, an enumeration without a type, or a keyword beside `anyOf`.
 */
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

/** An output schema with types is at most so long in the tool list, in characters of JSON: about 220 tokens. */
const MAX_TYPED_CHARACTERS = 900

/**
 * The output schema in the tool list: every property by its name, at every depth, so that an agent knows what an answer holds.
 * Types stand at every leaf where that fits, or else at the top; names say the rest (`_minutes`, `_at`), and null is not known.
 * An object that occurs twice is defined once, under `$defs`.
 */
export function listedOutput(schema: object, omit: readonly string[] = []): { type: 'object' } {
  const listed = typesOf(inlineRefs(schema) as Json) as JsonObject
  for (const path of omit) removeProperty(listed, path.split('.'))
  const typed = withDefinitions(listed)
  if (JSON.stringify(typed).length <= MAX_TYPED_CHARACTERS) return typed as { type: 'object' }
  return withDefinitions(withNamesAlone(listed, 0)) as { type: 'object' }
}

/** A schema with names alone: `{properties}` for an object, `{items}` for a list, and below the top `{}` for any other value. */
function withNamesAlone(schema: JsonObject, depth: number): JsonObject {
  const { properties, items, anyOf, type } = schema
  if (isObject(properties)) {
    const inner = Object.entries(properties).map(([name, part]) => [
      name,
      withNamesAlone(part as JsonObject, depth + 1),
    ])
    return depth === 0
      ? { type: type!, properties: Object.fromEntries(inner) }
      : { properties: Object.fromEntries(inner) }
  }
  if (isObject(items)) return { items: withNamesAlone(items as JsonObject, depth + 1) }
  if (Array.isArray(anyOf)) return {}
  return depth === 1 && typeof type === 'string' ? { type } : {}
}

/** Removes a property from a schema, within lists too. @throws TypeError for a path that the schema does not have */
function removeProperty(schema: Json | undefined, [name, ...inner]: string[]): void {
  if (!isObject(schema) || name === undefined) throw new TypeError(`no property ${name}`)
  const object = isObject(schema.items) ? schema.items : schema
  const { properties } = object
  if (!isObject(properties) || properties[name] === undefined) throw new TypeError(`no property ${name}`)
  if (inner.length === 0) delete properties[name]
  else removeProperty(properties[name], inner)
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
  // The values of a long enumeration are in the answers; its type is enough for a list.
  delete schema.enum
  if (schema.const !== undefined) {
    schema.type = typeof schema.const
    delete schema.const
  }
  const listed = withoutNull(schema)
  // Where null is allowed, a type would refuse it, and the hosts take no list of types.
  if (listed !== schema) delete listed.type
  return listed
}

/** Shorter objects cost less where they stand than as a reference. */
const MIN_DEFINITION_CHARACTERS = 100

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

/** A longer pattern is told better by the description and by the error that names the argument. */
const MAX_PATTERN = 30

/** What some hosts refuse as a keyword, in words: Gemini takes no `format: date`, and OpenAI's strict mode no `default`. */
function saidInWords(description: Json | undefined, format: Json | undefined, preset: Json | undefined): string[] {
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
    ...rest
  } = value
  const schema: JsonObject = { ...rest }
  // Limits that equal those of a safe integer restrict nothing, and a pattern repeats its format.
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && minimum !== 0) schema.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) schema.maximum = maximum
  if (format !== undefined && format !== 'date') schema.format = format
  if (typeof pattern === 'string' && pattern.length <= MAX_PATTERN && format === undefined) schema.pattern = pattern
  const description = [rest.description ?? [], saidInWords(rest.description, format, preset)].flat().join(' ')
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
    const [type, ...more] = schema.type.filter((one) => one !== 'null')
    return more.length === 0 ? { ...schema, type: type! } : schema
  }
  if (!Array.isArray(anyOf)) return schema
  const others = anyOf.filter((one) => !isObject(one) || one.type !== 'null')
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
