import { isObject } from './json-object.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Maximum size of an output schema in the tool list, in characters of JSON: every agent pays tokens for the list. */
const MAX_CHARACTERS = 720
const MAX_DEPTH = 6

/** The input schema in the tool list: complete, without keywords that every client assumes. */
export function listedInput(schema: object): { type: 'object' } {
  return reduced(inlineRefs(schema) as Json, { descriptions: true, depth: Number.POSITIVE_INFINITY }) as {
    type: 'object'
  }
}

/**
 * The output schema in the tool list: as many levels as fit into `MAX_CHARACTERS`; deeper objects are listed without their
 * properties. Answers are checked against the complete schema before they are sent, so they also match this one.
 */
export function listedOutput(schema: object): { type: 'object' } {
  const complete = inlineRefs(schema) as Json
  for (let depth = MAX_DEPTH; ; depth--) {
    const listed = reduced(complete, { descriptions: false, depth })
    if (depth === 1 || JSON.stringify(listed).length <= MAX_CHARACTERS) return listed as { type: 'object' }
  }
}

interface ReducedParts {
  descriptions: boolean
  /** Levels of properties that are included. */
  depth: number
}

/** Removes the parts of a schema that the tool list does not need. */
function reduced(value: Json, parts: ReducedParts): Json {
  if (Array.isArray(value)) return value.map((part) => reduced(part, parts))
  if (!isObject(value)) return value
  const { $schema: _dialect, description, minimum, maximum, pattern, ...rest } = value
  const schema: JsonObject = { ...rest }
  if (parts.descriptions && description !== undefined) schema.description = description
  // Limits that equal those of a safe integer restrict nothing, and a pattern repeats its format.
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER) schema.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) schema.maximum = maximum
  if (pattern !== undefined && rest.format === undefined) schema.pattern = pattern
  if (!parts.descriptions) delete schema.additionalProperties
  if (isObject(rest.properties)) {
    if (parts.depth === 0) return { type: 'object' }
    const within = { ...parts, depth: parts.depth - 1 }
    schema.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([name, part]) => [name, reduced(part, within)]),
    )
  }
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf'])
    if (rest[key] !== undefined) schema[key] = reduced(rest[key], parts)
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
