import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PROMPTS, RESOURCES, TOOLS } from '../../bin/service/registry.ts'
import { airportDirectory, indexAirports } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'
import type { FactCoverage } from '../../warehouse/publishing/read/fact-coverage.ts'
import { tableDictionary } from '../../warehouse/tables/dictionary.ts'
import { repetitions } from '../exhaustive.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'
import { type Harness, openHarness, shareHarness } from './harness.ts'
import { connect } from './mcp-clients.ts'

/** The methods that both clients have for resources and prompts. */
interface ReadingClient {
  listResources: () => Promise<{ resources: { uri: string; mimeType: string; description: string }[] }>
  listResourceTemplates: () => Promise<{ resourceTemplates: unknown[] }>
  readResource: (request: { uri: string }) => Promise<{ contents: { uri: string; mimeType: string; text: string }[] }>
  listPrompts: () => Promise<{
    prompts: { name: string; arguments: { name: string; description: string; required: boolean }[] }[]
  }>
  getPrompt: (request: {
    name: string
    arguments: Record<string, string>
  }) => Promise<{ messages: { role: string; content: { text: string } }[] }>
  complete: (request: { ref: object; argument: object }) => Promise<{ completion: { values: string[]; total: number } }>
}

const KINDS = ['client 2', 'sdk 1'] as const
const open = async (harness: Harness, kind: (typeof KINDS)[number] = 'client 2') =>
  (await connect(harness, 'free', kind)) as unknown as ReadingClient

const harness = shareHarness()

describe.each(KINDS.slice(0, repetitions(1, 2)))('resources and prompts, with %s', (kind) => {
  test('resources are listed and read, each below a size limit; the error for an unknown one has its URI', async () => {
    const client = await open(harness, kind)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(RESOURCES.map(({ uri }) => uri))
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
    for (const { uri, mimeType, description } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toEqual([{ uri, mimeType, text: expect.any(String) }])
      expect([description.length < 400, contents[0]!.text.length < 100_000], uri).toEqual([true, true])
    }
    const unknown = client.readResource({ uri: 'holdshort://nowhere' })
    // 2026-07-28 wants Invalid params (SEP-2164); clients of 2025 take it as well as -32002.
    await expect(unknown).rejects.toMatchObject({ code: -32602, data: { uri: 'holdshort://nowhere' } })
  })

  test('prompts are listed with their arguments, and returned with steps for our tools', async () => {
    const client = await open(harness, kind)
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['plan_departure', 'choose_airport', 'check_schengen_stay'])
    expect(prompts[0]!.arguments).toEqual([
      { name: 'airport', required: true, description: 'IATA code of the airport, like JFK.' },
      { name: 'departure', required: true, description: expect.stringContaining('local time') },
      { name: 'destination', required: false, description: expect.stringMatching(/\.$/) },
      { name: 'checked_bags', required: false, description: expect.stringMatching(/\.$/) },
      { name: 'travel_minutes', required: false, description: expect.stringMatching(/\.$/) },
      { name: 'airline', required: false, description: expect.stringMatching(/\.$/) },
    ])
    const { messages } = await client.getPrompt({ name: 'choose_airport', arguments: { city: 'nyc' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }])
    expect(messages[0]!.content.text).toContain('2. Call `compare_airports` with `{"airports":["JFK","LGA"]}`')
    const nameless = client.getPrompt({ name: 'plan_holiday', arguments: {} })
    await expect(nameless).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('plan_departure') })
  })
})

test('coverage lists only queues that are observed now, and whether they are simulated', async () => {
  const live: FactCoverage = { fact: 'security', state: 'live', since: null, sources: ['panynj'], reason: null }
  const weather: FactCoverage = { ...live, fact: 'weather', sources: ['awc-metar'] }
  const snapshot = snapshotAt()
  harness.controls.snapshot = {
    ...snapshot,
    simulated: true,
    facts: (iata) => ({ JFK: [live, weather], DEL: [weather] })[iata] ?? [],
    asOf: () => harness.controls.snapshot!,
  }
  const client = await open(harness)
  const { contents } = await client.readResource({ uri: 'holdshort://coverage' })
  expect(JSON.parse(contents[0]!.text)).toMatchObject({
    simulated: true,
    generated_at: snapshot.generated_at,
    facts: { security: { live: 1 }, weather: { live: 2 } },
    live: [{ airport: 'JFK', live: ['security'], sources: ['panynj'] }],
  })
  const tables = await client.readResource({ uri: 'holdshort://tables' })
  expect(tables.contents[0]!.text).toBe(tableDictionary())
  harness.controls.snapshot = null
  await expect(client.readResource({ uri: 'holdshort://sources' })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('NOT_READY'),
  })
})

test('reading is not billed, but counts towards the limit per minute', async () => {
  const client = await open(harness)
  const remaining = async () => (await harness.call('free', '/api/agent/me')).headers['x-ratelimit-remaining']
  const before = Number(await remaining())
  await client.readResource({ uri: 'holdshort://coverage' })
  await client.getPrompt({ name: 'choose_airport', arguments: { city: 'New York' } })
  await client.complete({ ref: AIRPORT, argument: { name: 'airport', value: 'J' } })
  expect(Number(await remaining())).toBe(before - 4)
  expect((await harness.call('free', '/api/agent/me')).json().usage.calls).toBe(0)
})

const AIRPORT = { type: 'ref/prompt', name: 'plan_departure' }

/** Every prompt with its example, and arguments that lead to different plans. */
const PROMPT_INPUTS: [name: string, input: Record<string, string>][] = [
  ...PROMPTS.map(({ name, example }): [string, Record<string, string>] => [name, example]),
  ['plan_departure', { airport: 'zrh', departure: '2026-11-22T06:05', destination: 'jfk' }],
  ['plan_departure', { airport: 'JFK', departure: '2026-11-22T06:05' }],
  ['choose_airport', { city: 'São Paulo' }],
  ['choose_airport', { city: 'JFK' }],
  ['check_schengen_stay', { entry: '2026-12-20' }],
  ['check_schengen_stay', { entry: '2026-12-20', trips: '2026-06-01/2026-06-10,2026-11-01/' }],
]

test.each(PROMPT_INPUTS)('%s names existing tools with valid arguments: %j', (name, input) => {
  const prompt = PROMPTS.find((candidate) => candidate.name === name)!
  const context = { directory: DIRECTORY, now: NOW }
  const { steps } = prompt.plan(input, context)
  expect(steps.length).toBeGreaterThan(0)
  for (const { tool, arguments: sent } of steps) {
    const { query } = TOOLS.find((candidate) => candidate.name === tool)!
    expect(query.input.safeParse(sent).error, `${tool} ${JSON.stringify(sent)}`).toBeUndefined()
    expect(query.tier, `${tool} is for any key`).toBe('free')
  }
})

test.each([
  ['Tokyo', '["HND","NRT"]'],
  ['東京', '["HND","NRT"]'],
  ['LGA', '["JFK","EWR","LGA","SWF"]'],
])('the airports of %s are those of its metropolitan area, in whatever script', (city, airports) => {
  const prompt = PROMPTS.find(({ name }) => name === 'choose_airport')!
  const { steps } = prompt.plan({ city }, { directory: airportDirectory(), now: 0 })
  const compared = steps.find(({ tool }) => tool === 'compare_airports')
  expect(JSON.stringify(compared?.arguments['airports'])).toBe(airports)
})

/** Wrong arguments of prompts, and a pattern of the message. */
const WRONG_ARGUMENTS: Record<string, [input: Record<string, string>, message: string][]> = JSON.parse(
  readFileSync(projectFile('test/api/prompt-errors.json'), 'utf8'),
)

test('rejects a wrong argument and names it', async () => {
  const client = await open(harness)
  for (const [name, cases] of Object.entries(WRONG_ARGUMENTS))
    for (const [input, message] of cases)
      await expect(client.getPrompt({ name, arguments: input }), message).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(message),
      })
})

test('completes airports by code before name, cities and choices; nothing for free text', async () => {
  const client = await open(harness)
  const values = async (ref: object, name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values
  expect(await values(AIRPORT, 'airport', 'j')).toEqual(expect.arrayContaining(['JFK']))
  expect(await values(AIRPORT, 'airport', 'zur')).toEqual(['ZRH'])
  expect(await values(AIRPORT, 'airport', '')).toEqual([])
  expect(await values(AIRPORT, 'checked_bags', 'y')).toEqual(['yes'])
  expect(await values(AIRPORT, 'departure', '2026')).toEqual([])
  expect(await values({ type: 'ref/prompt', name: 'choose_airport' }, 'city', 'new')).toEqual(['New York'])
})

test('a name that begins with the typed text completes first, the larger airport before the smaller', async () => {
  const client = await open(harness)
  const { completion } = await client.complete({ ref: AIRPORT, argument: { name: 'airport', value: 'new y' } })
  expect(completion.values.slice(0, 2).sort()).toEqual(['JFK', 'LGA'])
})

test('a completion has at most 20 values and the total', async () => {
  const [first] = DIRECTORY.all
  const many = Array.from({ length: 26 }, (_, index) => ({ ...first!, iata: `Q${String.fromCharCode(65 + index)}A` }))
  const client = await open(await openHarness({}, { directory: indexAirports(many) }))
  const { completion } = await client.complete({ ref: AIRPORT, argument: { name: 'airport', value: 'q' } })
  expect(completion).toMatchObject({ total: 26, hasMore: true })
  expect(completion.values.length).toBe(20)
})
