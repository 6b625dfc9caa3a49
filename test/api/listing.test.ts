import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { openHarness } from './harness.ts'
import { call, connect } from './mcp-clients.ts'

/** Maximum tokens of the listing as sent, by the tokenizer of GPT-4o and its successors (o200k): whole, and without output schemas. */
const MAX_TOKENS = 11_918
const MAX_TOKENS_WITHOUT_OUTPUTS = 7_000

/** Names of the specification, section 4.4. */
const FREE = `search_airports get_airport_overview compare_airports get_faa_delays get_airport_delays_summary
get_security_wait_estimate get_best_time_to_fly get_crowd_reports get_airline_baggage_rankings get_airline_baggage_policy
get_ees_wait_times get_ees_forecast check_schengen_days get_aviation_weather get_lounges get_terminals
submit_wait_time_report create_wait_time_alert discover_more_flight_tools`.split(/\s+/)
const PAID = ['get_wait_time_predictions', 'get_historical_wait_times', 'get_live_wait_time']

test('the listing has the 22 tools of the specification in under 12,000 tokens, 7,000 without output schemas', async () => {
  const client = await connect(await openHarness(), 'free', 'client 2')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([...FREE, ...PAID].sort())
  expect(encode(JSON.stringify(tools)).length).toBeLessThan(MAX_TOKENS)
  const withoutOutputs = tools.map(({ outputSchema: _, ...tool }) => tool)
  expect(encode(JSON.stringify(withoutOutputs)).length).toBeLessThan(MAX_TOKENS_WITHOUT_OUTPUTS)
})

/** The paths of an answer's fields, without the positions in lists. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [`${path}.${name}`, ...pathsOf(part, `${path}.${name}`)])
}

/** The paths of the properties of a schema, and of the objects and lists in it that say nothing of their contents. */
function schemaPaths(root: Schema): { properties: Set<string>; bare: string[] } {
  const properties = new Set<string>()
  const bare: string[] = []
  const visit = (part: Schema, path: string): void => {
    const schema = part.$ref === undefined ? part : root.$defs![part.$ref.replace('#/$defs/', '')]!
    const types = [schema.type].flat()
    if (types.includes('object') && schema.properties === undefined) bare.push(path)
    if (types.includes('array') && schema.items === undefined) bare.push(path)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      properties.add(`${path}.${name}`)
      visit(property, `${path}.${name}`)
    }
    for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) visit(inner, path)
  }
  visit(root, '')
  return { properties, bare }
}

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
}

test('output schemas name every field of the answers, at every depth, and have no bare object', async () => {
  const client = await connect(await openHarness(), 'enterprise', 'client 2')
  const { tools } = await client.listTools()
  for (const { name, inputSchema, outputSchema } of tools) {
    const { properties, bare } = schemaPaths(outputSchema as Schema)
    expect(bare, name).toEqual([])
    const { structuredContent } = await call(client, name, inputSchema.examples![0]!)
    expect(
      pathsOf(structuredContent).filter((path) => !properties.has(path)),
      name,
    ).toEqual([])
  }
})

test('a free key can use 19 tools and gets PREMIUM_REQUIRED from three', async () => {
  const client = await connect(await openHarness(), 'free', 'client 2')
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools) {
    const [example] = inputSchema.examples!
    const answer = await call(client, name, example!)
    expect(answer.isError ?? false, `${name}: ${answer.content[0]!.text}`).toBe(PAID.includes(name))
    if (PAID.includes(name)) expect(answer.content[0]!.text).toContain('PREMIUM_REQUIRED')
  }
})

test('answers match the listed schemas, and the schemas reject wrong answers', async () => {
  const client = await connect(await openHarness(), 'enterprise', 'client 2')
  const { tools } = await client.listTools()
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const { name, inputSchema, outputSchema } of tools) {
    const [example] = inputSchema.examples!
    expect(ajv.validate(inputSchema, example), `${name}: ${ajv.errorsText()}`).toBe(true)
    expect(inputSchema.additionalProperties, name).toBe(false)
    const { structuredContent } = await call(client, name, example!)
    expect(ajv.validate(outputSchema!, structuredContent), `${name}: ${ajv.errorsText()}`).toBe(true)
    expect(ajv.validate(outputSchema!, { ...structuredContent, simulated: 'perhaps' }), name).toBe(false)
  }
})
