import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { TOOLS } from '../../api/registry.ts'
import type { Tier } from '../../config/domain.ts'
import type { Harness } from '../api/harness.ts'
import type { JsonObject } from './unexplained.ts'

export const AIRPORTS = ['JFK', 'LGA', 'GRU', 'XSM', 'ZRH']

export interface Answer {
  name: string
  body: JsonObject
}

/** Every answer of REST that has minutes in it, on every tier that may ask. */
export async function restAnswers({ call }: Harness): Promise<Answer[]> {
  const answers: Answer[] = []
  const ask = async (tier: Tier, path: string, payload?: object) => {
    const answer = await call(tier, `/api/v1${path}`, payload ? { method: 'POST', payload } : {})
    expect(answer.statusCode, `${tier} ${path}: ${answer.body}`).toBe(200)
    answers.push({ name: `${tier} ${path}`, body: answer.json() })
    return answer.json() as JsonObject
  }
  for (const iata of AIRPORTS) {
    const asked = [
      await ask('pro', `/airports/${iata}/wait-times`),
      await ask('enterprise', `/airports/${iata}/wait-times`),
    ]
    // What a tier does not show is behind the same figure.
    const [pro, enterprise] = asked.map(({ security }) => ({ ...(security as JsonObject), terminals: [] }))
    expect(pro).toEqual(enterprise)
  }
  await ask('enterprise', '/airports/bulk', { codes: AIRPORTS })
  await ask('pro', '/airports/JFK/predictions?days=1')
  await ask('pro', '/airports/JFK/historical')
  for (const path of [
    '/airports/JFK/predictions?days=7',
    '/airports/LGA/predictions',
    '/airports/JFK/historical?days=30',
  ])
    await sameAsCsv({ call }, path, await ask('enterprise', path))
  return answers
}

/** The CSV of an answer says the same figures as its JSON, row by row: hours, and their terminals. */
async function sameAsCsv({ call }: Pick<Harness, 'call'>, path: string, body: JsonObject): Promise<void> {
  const csv = await call('enterprise', `/api/v1${path}`, { headers: { accept: 'text/csv' } })
  const hours = (body.hours as JsonObject[]).flatMap(({ terminals = [], ...hour }) => [
    hour,
    ...(terminals as JsonObject[]).map((terminal) => ({ time: hour.time, ...terminal })),
  ]) as JsonObject[]
  const rows = parse<Record<string, unknown>>(csv.body, { columns: true })
  const names = ['time', 'wait_minutes', 'low', 'high', 'mean', 'p50', 'p90', 'max', 'samples']
  const figures = (row: Record<string, unknown>) => names.map((name) => String(row[name] ?? ''))
  expect(rows.map(figures), path).toEqual(hours.map(figures))
}

/** Every answer of every MCP tool that takes an airport; its text says no other minutes than its structure. */
export async function toolAnswers({ app, keys }: Harness): Promise<Answer[]> {
  const answers: Answer[] = []
  const given: Record<string, object[]> = {
    search_airports: [{ query: 'new york' }],
    compare_airports: [{ airports: AIRPORTS }],
    get_faa_delays: [{}],
    get_wait_time_predictions: [{ iata: 'JFK', days: 7 }, { iata: 'XSM' }],
  }
  // A live answer is the pipeline's, not the snapshot's: test/pipeline/live/answer-live-requests.test.ts holds it to the rows that its scrape landed.
  // Dated facts on file give no wait; times to set off have tests of their own.
  // What travellers reported is held to the rows of the state in test/api/data/tools/crowd-reports.test.ts; here nobody did.
  const facts = [
    'get_terminals',
    'get_lounges',
    'get_live_wait_time',
    'get_best_time_to_fly',
    'submit_wait_time_report',
    'create_wait_time_alert',
  ]
  const ofWaits = TOOLS.filter(({ name, query }) => name in given || 'iata' in query.input.shape)
  for (const { name } of ofWaits.filter((tool) => !facts.includes(tool.name)))
    for (const argument of given[name] ?? AIRPORTS.map((iata) => ({ iata }))) {
      const { structuredContent: body, content } = await callTool({ app, keys }, name, argument)
      answers.push({ name: `${name} ${JSON.stringify(argument)}`, body })
      const said = [...(content[0]?.text ?? '').matchAll(/(?:about |, )(\d+) min(?:utes)? (?:at security|\()/g)]
      const numbers = JSON.stringify(body)
      for (const [, minutes] of said)
        expect(numbers, `${name}: ${content[0]?.text}`).toMatch(new RegExp(`minutes":${minutes}\\b`))
    }
  return answers
}

interface ToolResult {
  structuredContent: JsonObject
  content: { text: string }[]
}

/** What a tool answers an enterprise key. */
export async function callTool(
  { app, keys }: Pick<Harness, 'app' | 'keys'>,
  name: string,
  given: object,
): Promise<ToolResult> {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${keys.enterprise.key}`,
      host: '127.0.0.1',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })
  const text = answer.body.startsWith('{') ? answer.body : (answer.body.match(/^data: (.*)$/m)?.[1] ?? '')
  const { result } = JSON.parse(text) as { result: ToolResult }
  expect(result.structuredContent, `${name}: ${answer.body.slice(0, 300)}`).toBeDefined()
  return result
}
