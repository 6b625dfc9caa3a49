import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { TOOLS } from '../../bin/service/registry.ts'
import { projectFile } from '../../config/paths.ts'
import { expectBilled, shareHarness } from './harness.ts'
import { call, connect } from './mcp-clients.ts'

const harness = shareHarness()

/** Every agent pays for the listing: its bytes as JSON, and its tokens by the tokenizer of GPT-4o and its successors (o200k). */
const MAX_BYTES = 25_000
const MAX_TOKENS = 6_500

/** Names of the specification, section 4.4. */
const FREE = `search_airports get_airport_overview compare_airports get_faa_delays get_airport_delays_summary
get_security_wait_estimate get_best_time_to_fly get_crowd_reports get_airline_baggage_rankings get_airline_baggage_policy
get_ees_wait_times get_ees_forecast check_schengen_days get_aviation_weather get_lounges get_terminals
submit_wait_time_report create_wait_time_alert discover_more_flight_tools`.split(/\s+/)
const PAID = ['get_wait_time_predictions', 'get_historical_wait_times', 'get_live_wait_time']

test('the listing has the 22 tools of the specification in under 25 kB and 6,500 tokens', async () => {
  const client = await connect(harness, 'free', 'client 2')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([...FREE, ...PAID].sort())
  expect(encode(JSON.stringify(tools)).length).toBeLessThan(MAX_TOKENS)
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(MAX_BYTES)
})

test('each tool is listed as its committed snapshot says', async () => {
  const client = await connect(harness, 'free', 'client 2')
  const { tools } = await client.listTools()
  for (const tool of tools)
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`listed/${tool.name}.json`)
  expect(readdirSync(projectFile('test', 'api', 'listed')).sort()).toEqual(
    tools.map(({ name }) => `${name}.json`).sort(),
  )
})

test('a free key can use 19 tools, and gets PREMIUM_REQUIRED from three, which are not billed', async () => {
  const client = await connect(harness, 'free', 'client 2')
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools) {
    const [example] = inputSchema.examples!
    const answer = await call(client, name, example!)
    expect(answer.isError ?? false, `${name}: ${answer.content[0]!.text}`).toBe(PAID.includes(name))
    if (!PAID.includes(name)) continue
    expect(answer.content[0]!.text).toMatch(/^PREMIUM_REQUIRED: .*needs a key of the Pro tier or higher; yours is Free/)
    expect(answer._meta?.['holdshort/problem']).toMatchObject({ code: 'PREMIUM_REQUIRED', required_tier: 'pro' })
  }
  await expectBilled(harness, 'free', Object.fromEntries(FREE.map((name) => [name, 1])))
})

test('answers match the listed schemas, and the schemas reject wrong answers', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  const { tools } = await client.listTools()
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const { name, inputSchema, outputSchema } of tools) {
    const [example] = inputSchema.examples!
    expect(ajv.validate(inputSchema, example), `${name}: ${ajv.errorsText()}`).toBe(true)
    expect(outputSchema, `${name}: FastMCP's client gives its users the listed fields alone without`).toMatchObject({
      additionalProperties: true,
    })
    const { structuredContent } = await call(client, name, example!)
    expect(ajv.validate(outputSchema!, structuredContent), `${name}: ${ajv.errorsText()}`).toBe(true)
    expect(ajv.validate(outputSchema!, { ...structuredContent, simulated: 'perhaps' }), name).toBe(false)
  }
})

test('a question has the same answer over REST and as the full answer of its tool, to its last page', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  const restTools = TOOLS.flatMap((tool) => (tool.query.rest === null ? [] : [{ ...tool, rest: tool.query.rest }]))
  expect(restTools.length).toBeGreaterThan(3)
  for (const { name, example, rest, pages } of restTools) {
    const { iata, ...query } = example
    const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
    const path = `/api/v1${rest.path.replace(':iata', String(iata))}`
    const body = (await harness.call('enterprise', `${path}?${parameters}`)).json()
    const pageOf = async (page: number) => {
      const view = pages ? { detail: 'full', page } : { detail: 'full' }
      return (await call(client, name, { ...example, ...view })).structuredContent as Record<string, unknown>
    }
    const { more: _, ...first } = await pageOf(1)
    if (pages === undefined) {
      expect(first, name).toEqual(body)
      continue
    }
    const { list, rows } = pages
    const last = Math.max(1, Math.ceil(body[list].length / rows))
    const others = await Promise.all(Array.from({ length: last - 1 }, (_page, index) => pageOf(index + 2)))
    expect({ ...first, [list]: [first, ...others].flatMap((page) => page[list]) }, name).toEqual(body)
  }
})
