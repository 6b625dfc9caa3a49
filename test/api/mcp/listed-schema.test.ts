import { expect, test } from 'vitest'
import { MCP_CATALOGUE } from '../../../bin/service/registry.ts'

interface Schema {
  type?: unknown
  enum?: unknown[]
  format?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  $defs?: Record<string, Schema>
  [keyword: string]: unknown
}

/** Every schema within a schema, with its path. */
function within(schema: Schema, path = ''): [path: string, schema: Schema][] {
  return [
    [path, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => within(part, `${path}.${name}`)),
    ...Object.entries(schema.$defs ?? {}).flatMap(([name, part]) => within(part, `${path}.$defs.${name}`)),
    ...(schema.items === undefined ? [] : within(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((part, index) => within(part, `${path}|${index}`)),
  ]
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object']

/** What all hosts take alike, in inputs and outputs. */
function generalFaults({ type, enum: values }: Schema): string[] {
  return [
    type === undefined || TYPES.includes(type as string) ? '' : `type ${JSON.stringify(type)}`,
    values === undefined || type !== undefined ? '' : 'an enum without a type',
  ]
}

/**
 * Gemini and Vertex: `Schema` of ai.google.dev/api/caching and of Vertex' FunctionDeclaration, and the messages with which both
 * refuse a whole request (google-gemini/gemini-cli#4400, makenotion/notion-mcp-server#42). `examples` is known to
 * `parametersJsonSchema` alone; hosts that write the older `parameters` leave it out. Google's SDK for Python takes no
 * `additionalProperties` that is true or false (googleapis/python-genai#2393).
 */
const GEMINI_KEYWORDS = new Set(
  'type format title description items minItems maxItems enum properties required minimum maximum pattern anyOf'
    .split(' ')
    .concat('examples'),
)
const GEMINI_FORMATS: Record<string, string[]> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}
function geminiFaults(schema: Schema): string[] {
  const { type, enum: values, format, items, anyOf, properties = {}, required = [] } = schema
  return [
    ...Object.keys(schema).map((keyword) => (GEMINI_KEYWORDS.has(keyword) ? '' : `the keyword ${keyword}`)),
    type === undefined && anyOf === undefined ? 'neither type nor anyOf' : '',
    anyOf !== undefined && Object.keys(schema).length > 1 ? 'a keyword beside anyOf' : '',
    values === undefined || (type === 'string' && values.length > 0) ? '' : 'an enum of something else than strings',
    (values ?? []).every((value) => typeof value === 'string' && value !== '') ? '' : 'a value of an enum is no text',
    format === undefined || GEMINI_FORMATS[type as string]?.includes(format) ? '' : `the format ${format}`,
    type === 'array' && items === undefined ? 'a list without items' : '',
    ...required.map((name) => (name in properties ? '' : `${name} is required and not a property`)),
    ...Object.keys(properties).map((name) => (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? '' : `the name ${name}`)),
  ]
}

/**
 * OpenAI, strict (platform.openai.com/docs/guides/structured-outputs, "Supported schemas"). Hosts themselves close objects, and make
 * optional properties required and nullable; null for an optional argument is none here.
 */
const OPENAI_KEYWORDS = new Set(
  'type description properties required additionalProperties items minItems maxItems enum anyOf pattern format minimum maximum'
    .split(' ')
    // An annotation, which hosts leave out.
    .concat('examples'),
)
const OPENAI_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
function openAiFaults(schema: Schema): string[] {
  const { type, anyOf, format, additionalProperties } = schema
  return [
    ...Object.keys(schema).map((keyword) => (OPENAI_KEYWORDS.has(keyword) ? '' : `the keyword ${keyword}`)),
    type === undefined && anyOf === undefined ? 'neither type nor anyOf' : '',
    type === 'object' && (additionalProperties ?? false) !== false ? 'an object that takes more properties' : '',
    format === undefined || OPENAI_FORMATS.includes(format) ? '' : `the format ${format}`,
    typeof schema.pattern === 'string' && /\(\?[=!<]|\\b|\\\d/.test(schema.pattern)
      ? `the pattern ${schema.pattern}`
      : '',
  ]
}

/** Anthropic (docs.claude.com, tool use): the names of tools and properties, and a root that is an object and no choice. */
function anthropicFaults(name: string, root: Schema): string[] {
  const names = within(root).flatMap(([, { properties = {} }]) => Object.keys(properties))
  return [
    /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? '' : 'the name of the tool',
    root.type === 'object' ? '' : 'a root that is no object',
    (root.anyOf ?? root.oneOf ?? root.allOf) ? 'a choice at the root' : '',
    ...names.map((property) => (/^[a-zA-Z0-9_.-]{1,64}$/.test(property) ? '' : `the name ${property}`)),
  ]
}

const named = (faults: string[], where: string) =>
  faults.filter((fault) => fault !== '').map((fault) => `${where}: ${fault}`)

test('Gemini, Vertex, OpenAI in strict mode and Anthropic take every input schema', () => {
  const faults = MCP_CATALOGUE.listedTools.flatMap(({ name, inputSchema }) => [
    ...named(anthropicFaults(name, inputSchema), name),
    ...within(inputSchema).flatMap(([path, schema]) =>
      named([...generalFaults(schema), ...geminiFaults(schema), ...openAiFaults(schema)], name + path),
    ),
  ])
  expect(faults).toEqual([])
})

test('output schemas have an object as root, no list of types, no enumeration and references only to their own definitions', () => {
  const faults = MCP_CATALOGUE.listedTools.flatMap(({ name, outputSchema }) => [
    ...named(anthropicFaults(name, outputSchema), name),
    ...within(outputSchema).flatMap(([path, schema]) => {
      const { $ref } = schema
      const defined =
        $ref === undefined || String($ref).replace('#/$defs/', '') in ((outputSchema as Schema).$defs ?? {})
      return named([...generalFaults(schema), schema.enum ? 'an enum' : '', defined ? '' : `${$ref}`], name + path)
    }),
  ])
  expect(faults).toEqual([])
})

test('the rules refuse what the hosts refuse', () => {
  const refused: Schema[] = [
    { enum: ['a'] },
    { type: 'integer', enum: [1] },
    { type: ['string', 'null'] },
    { type: 'string', format: 'date' },
    { description: 'x', anyOf: [{ type: 'string' }] },
    { type: 'array' },
    { $ref: '#/$defs/d1' },
    { type: 'object', additionalProperties: false },
    {},
  ]
  for (const schema of refused)
    expect(named([...generalFaults(schema), ...geminiFaults(schema)], ''), JSON.stringify(schema)).not.toEqual([])
  for (const schema of [
    { type: 'object', additionalProperties: true },
    { type: 'string', default: 'x' },
    { oneOf: [] },
  ])
    expect(named(openAiFaults(schema), ''), JSON.stringify(schema)).not.toEqual([])
})

test('a default and the form of a date are said in words', () => {
  const inputOf = (tool: string) =>
    (MCP_CATALOGUE.listedTools.find(({ name }) => name === tool)!.inputSchema as Schema).properties!
  expect(inputOf('search_airports').limit!.description).toBe('Maximum number. Default: 5.')
  expect(inputOf('check_schengen_days').on!.description).toMatch(/YYYY-MM-DD\.$/)
  expect(inputOf('get_best_time_to_fly').bags).toEqual({
    anyOf: [
      { type: 'boolean', description: 'Checked bags: true, false or how many. Default: false.' },
      { type: 'integer', maximum: 20 },
    ],
  })
})
