import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PROMPTS, QUERIES, TOOLS } from '../../bin/service/registry.ts'
import { isPlainText } from '../../config/untrusted-text.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import type { Table } from '../../warehouse/tables/define.ts'
import { delays } from '../../warehouse/tables/delays.ts'
import { places } from '../../warehouse/tables/places.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { metars } from '../../warehouse/tables/weather.ts'
import { callTool } from '../evidence/all-answers.ts'
import { HIDDEN_WORDS, MARKUP_WORDS, VISIBLE_WORDS } from '../hostile-words.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { newWarehouse } from '../warehouse/new-warehouse.ts'
import { listed, reading } from '../warehouse/test-rows.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'
import { type Harness, openHarness, shareHarness } from './harness.ts'
import { messagesOf, toolCall } from './mcp/requests.ts'

const harness = shareHarness()

type Schema = z.core.JSONSchema.JSONSchema

/** The paths of all fields of a JSON schema that take a text. */
function textPaths(schema: Schema, path: (string | number)[] = []): (string | number)[][] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])] as Schema[]
  const found = parts.flatMap((part) => textPaths(part, path))
  if (schema.type === 'string') found.push(path)
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    if (typeof inner === 'object') found.push(...textPaths(inner, [...path, name]))
  if (typeof schema.items === 'object' && !Array.isArray(schema.items))
    found.push(...textPaths(schema.items as Schema, [...path, 0]))
  return found
}

/** A copy of an input with a text at a path. */
function withText(input: unknown, [step, ...rest]: (string | number)[], text: string): unknown {
  if (step === undefined) return text
  if (typeof step === 'number') return [withText(Array.isArray(input) ? input[step] : undefined, rest, text)]
  const object = (input ?? {}) as Record<string, unknown>
  return { ...object, [step]: withText(object[step], rest, text) }
}

const nameOf = (path: (string | number)[]) =>
  path.reduce((name, step) => (typeof step === 'number' ? `${name}[${step}]` : `${name && `${name}.`}${step}`), '')

const WORD = HIDDEN_WORDS[0]!

describe('a text with hidden characters is refused by the name of its field', () => {
  const inputs = [
    ...TOOLS.map(({ name, example, query }) => ({ name, example, input: query.input, run: query.run })),
    ...QUERIES.map(({ name, input, run }) => ({ name, example: {}, input, run })),
  ]
  test.each(inputs.map((parameter) => [parameter.name, parameter] as const))(
    'every field of %s',
    async (_name, { example, input, run }) => {
      const context = { snapshot: snapshotAt(), directory: DIRECTORY, tier: 'enterprise' as const, now: NOW }
      const paths = textPaths(z.toJSONSchema(input, { io: 'input' }))
      for (const [index, path] of paths.entries()) {
        const sent = withText(example, path, HIDDEN_WORDS[index % HIDDEN_WORDS.length]!)
        const refused = await Promise.resolve()
          .then(() => run(sent, context as never))
          .then(String, (error: Error) => error.message)
        // Marks that pile up are refused wherever there are more than four of them.
        expect(refused).toContain(`${nameOf(path)}: must be plain text`)
      }
    },
  )

  test.each(PROMPTS.map((prompt) => [prompt.name, prompt] as const))(
    'every argument of the prompt %s',
    (_name, prompt) => {
      for (const name of Object.keys(prompt.input.shape))
        expect(() => prompt.plan({ ...prompt.example, [name]: WORD }, { directory: DIRECTORY, now: NOW })).toThrow(
          `${name}: must be plain text`,
        )
    },
  )

  test('every parameter and body of the REST interface', async () => {
    const { paths } = harness.app.swagger() as unknown as {
      paths: Record<
        string,
        Record<
          string,
          {
            parameters?: { in: string; name: string; schema: Schema }[]
            requestBody?: { content: Record<string, { schema: Schema }> }
          }
        >
      >
    }
    let fields = 0
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
        const url = path.replace('{iata}', 'JFK').replace(/\{\w+\}/, 'key_1')
        for (const parameter of parameters.filter(
          (parameter) => parameter.in === 'query' && parameter.schema.type === 'string',
        )) {
          fields += 1
          const answer = await harness.call('enterprise', `${url}?${parameter.name}=${encodeURIComponent(WORD)}`)
          expect([answer.statusCode, answer.json().errors?.[0].parameter], `${path} ${parameter.name}`).toEqual([
            400,
            parameter.name,
          ])
        }
        const body = requestBody?.content['application/json']?.schema
        if (!body || path === '/mcp') continue
        for (const field of textPaths(body)) {
          fields += 1
          const payload = withText({}, field, WORD) as object
          const answer = await harness.call('enterprise', url, { method: method.toUpperCase() as 'POST', payload })
          expect(answer.statusCode, `${path} ${nameOf(field)}`).toBe(400)
          expect(answer.body, `${path} ${nameOf(field)}`).toContain(nameOf(field))
        }
      }
    expect(fields).toBeGreaterThan(8)
  })
})

/** The columns of a table that take any text, so that a new column cannot be forgotten. */
const textColumns = ({ columns }: Table) =>
  Object.entries(columns)
    .filter(
      ([name, { schema }]) =>
        schema.safeParse('any words').success && !['source', 'capture_id', 'faa_id', 'reason_category'].includes(name),
    )
    .map(([name]) => name)

const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace(/\.\d+/, '')
const stamps = { fetched_at: ago(2), available_at: ago(2), capture_id: 'c' }
const DELAY = listed(ago(2), {
  iata: 'JFK',
  faa_id: 'JFK',
  reason: '',
  average_minutes: 36,
  max_minutes: 95,
  ...stamps,
})
const PLACE = {
  source: 'openstreetmap',
  osm_type: 'way' as const,
  osm_id: 1,
  iata: 'JFK',
  kind: 'terminal' as const,
  name: null,
  operator: null,
  ref: null,
  latitude: 40,
  longitude: -73,
  level: null,
  opening_hours: null,
  access: null,
  airside: null,
  fee: null,
  ...stamps,
}

/** Rows of a table with hostile words in each column that takes a text, as an earlier release may have landed them. */
function hostileRows<Row extends object>(table: Table, row: Row, key: (index: number) => Partial<Row>): Row[] {
  return [...HIDDEN_WORDS, ...VISIBLE_WORDS, ...MARKUP_WORDS].map((word, index) => ({
    ...row,
    ...Object.fromEntries(textColumns(table).map((name) => [name, word])),
    ...key(index),
  }))
}

const openHostile = async (): Promise<Harness> => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  const observed = reading({
    iata: 'JFK',
    source: 'panynj-graphql',
    observed_at: ago(2),
    fetched_at: ago(2),
    available_at: ago(2),
  })
  await warehouse.land(
    readings,
    hostileRows(readings, observed, () => ({})),
  )
  await warehouse.land(
    delays,
    hostileRows(delays, DELAY, (index) => ({ observed_at: ago(2), faa_id: `JF${index}` })),
  )
  await warehouse.land(
    places,
    hostileRows(places, PLACE, (index) => ({ osm_id: index + 1 })),
  )
  expect(textColumns(metars)).toContain('raw')
  await publish(warehouse, { now: NOW, simulated: false, airports: DIRECTORY.all })
  await warehouse.close()
  const harness = await openHarness()
  harness.controls.snapshot = await loadSnapshot(`${folder}/snapshots`)
  return harness
}

/** Every text of a value. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => [key, ...textsOf(entry)])
}
const expectPlain = (value: unknown, where: string) => {
  for (const text of textsOf(value)) {
    for (const line of text.split('\n'))
      expect(isPlainText(line), `${where}: ${JSON.stringify(line.slice(0, 200))}`).toBe(true)
    expect(text.length, where).toBeLessThan(20_000)
  }
}

test('no tool, REST answer, CSV or page shows a hidden character of a feed; in texts such words stand in quotation marks', async () => {
  const harness = await openHostile()
  for (const { name, example, annotations } of TOOLS.filter(({ annotations }) => annotations.readOnlyHint)) {
    if (name === 'get_live_wait_time') continue
    const { content, structuredContent } = await callTool(
      harness,
      name,
      'iata' in example ? { ...example, iata: 'JFK' } : example,
    )
    expectPlain(content, `${name} text`)
    expectPlain(structuredContent, name)
    expect(JSON.stringify([content, structuredContent]), name).not.toMatch(/\]\(|<img|<script|`rm|:\/\/evil/)
    const text = content[0]?.text ?? ''
    for (const [before] of text.matchAll(/.?IGNORE OTHER TOOLS/g))
      expect(before, `${name}: ${text.slice(0, 500)}`).toMatch(/^[“"(]/)
    expect(annotations.readOnlyHint).toBe(true)
  }
  for (const path of ['wait-times', 'delays', 'predictions', 'historical']) {
    const answer = await harness.call('enterprise', `/api/v1/airports/JFK/${path}`)
    if (answer.statusCode === 200) expectPlain(answer.json(), path)
  }
  expectPlain((await harness.call('enterprise', '/api/v1/coverage')).json(), 'coverage')
  const csv = await harness.call('enterprise', '/api/v1/airports?q=JFK', { headers: { accept: 'text/csv' } })
  for (const row of parse(csv.body) as string[][]) for (const field of row) expect(field).not.toMatch(/^[=@]/)
  for (const path of ['/', '/status', '/docs', '/airports/JFK', '/map']) {
    const page = await harness.app.inject({ url: path, headers: { accept: 'text/html' } })
    if (page.statusCode !== 200) continue
    expect(page.body, path).not.toContain('<script>alert')
    for (const line of page.body.split('\n'))
      expect(isPlainText(line.replaceAll('\t', '')), `${path}: ${line.slice(0, 200)}`).toBe(true)
  }
})

test('what a caller writes comes back without markup: names of parameters, addresses, names of agents', async () => {
  const harness = await openHarness()
  for (const word of MARKUP_WORDS.filter((word) => isPlainText(word))) {
    const payload = { [word]: 1 }
    const refused = await harness.call(null, '/api/agent/register', { method: 'POST', payload })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().detail, word).not.toMatch(/\]\(|[<>`]|:\/\//)
    const called = await harness.call('free', '/mcp', toolCall('get_terminals', { iata: 'JFK', [word]: 1 }))
    const { content } = messagesOf(called.body)[0]!.result as { content: { text: string }[] }
    expect(content[0]!.text, word).not.toMatch(/\]\(|[<>`]|:\/\//)
  }
  await harness.call(null, '/api/agent/register', {
    method: 'POST',
    payload: { agent_name: '![x](https://evil.example)' },
  })
  const names = await harness.state.db.selectFrom('accounts').select('name').execute()
  expect(names.map(({ name }) => name)).toContain('![x] (https: evil.example)')
})
