type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Longest listed schema of one answer, in characters of JSON: a listing is read anew by each agent, and paid for by it. */
const MOST_CHARACTERS = 720
const DEEPEST = 6

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments as listed: whole, with what every client knows left out. */
export function listedInput(schema: object): { type: 'object' } {
  return lean(inlineRefs(schema) as Json, { descriptions: true, depth: Number.POSITIVE_INFINITY }) as { type: 'object' }
}

/**
 * The answer as listed: as deep as fits into `MOST_CHARACTERS`; what lies deeper is an object or a list of them. Answers
 * are checked against the whole schema before they go out, and fit this one too, which says less.
 */
export function listedOutput(schema: object): { type: 'object' } {
  const whole = inlineRefs(schema) as Json
  for (let depth = DEEPEST; ; depth--) {
    const listed = lean(whole, { descriptions: false, depth })
    if (depth === 1 || JSON.stringify(listed).length <= MOST_CHARACTERS) return listed as { type: 'object' }
  }
}

interface Keeping {
  descriptions: boolean
  /** Levels of properties that are told. */
  depth: number
}

function lean(value: Json, keeping: Keeping): Json {
  if (Array.isArray(value)) return value.map((part) => lean(part, keeping))
  if (!isObject(value)) return value
  const { $schema: _dialect, description, minimum, maximum, pattern, ...rest } = value
  const kept: JsonObject = { ...rest }
  if (keeping.descriptions && description !== undefined) kept.description = description
  // Bounds of what a number can hold bound nothing, and a pattern says no more than its format.
  if (minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER) kept.minimum = minimum
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) kept.maximum = maximum
  if (pattern !== undefined && rest.format === undefined) kept.pattern = pattern
  if (!keeping.descriptions) delete kept.additionalProperties
  if (isObject(rest.properties)) {
    if (keeping.depth === 0) return { type: 'object' }
    const within = { ...keeping, depth: keeping.depth - 1 }
    kept.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([name, part]) => [name, lean(part, within)]),
    )
  }
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf'])
    if (rest[key] !== undefined) kept[key] = lean(rest[key], keeping)
  return nullable(kept)
}

/** “This or null” in the shorter of its two spellings. */
function nullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, none] = anyOf as [Json, Json]
  if (!isObject(one) || !isObject(none) || none.type !== 'null') return schema
  if (Array.isArray(one.enum)) return { ...rest, enum: [...one.enum, null] }
  return typeof one.type === 'string' ? { ...rest, ...one, type: [one.type, 'null'] } : schema
}

/**
 * A JSON Schema with its `#/$defs/…` references written out. Older MCP clients insist on `type: "object"` at the root
 * and some follow no references at all. Our schemas are trees, so this ends.
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
