import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { type ShownQueueWait, withProvenanceEverywhere } from '../../answers/questions/shown-queue-wait.ts'
import { TOOLS } from '../../bin/service/registry.ts'
import type { Tier } from '../../config/vocabulary.ts'
import type { Harness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'
import type { JsonObject } from './unexplained.ts'

export const AIRPORTS = ['JFK', 'LGA', 'GRU', 'XSM', 'ZRH']

export interface Answer {
  name: string
  body: JsonObject
}

/**
 * All REST answers that contain minutes, for every tier that has access. The long ones, hours of days, do not change with the
 * age of a snapshot and are most of the work: `withHours` asks them too.
 */
export async function restAnswers({ call }: Harness, withHours = true): Promise<Answer[]> {
  const answers: Answer[] = []
  const request = async (tier: Tier, path: string, payload?: object) => {
    const answer = await call(tier, `/api/v1${path}`, payload ? { method: 'POST', payload } : {})
    expect(answer.statusCode, `${tier} ${path}: ${answer.body}`).toBe(200)
    answers.push({ name: `${tier} ${path}`, body: withWholeWaits(answer.json()) })
    return answer.json() as JsonObject
  }
  for (const iata of AIRPORTS) {
    const waitTimes = [
      await request('pro', `/airports/${iata}/wait-times`),
      await request('enterprise', `/airports/${iata}/wait-times`),
    ]
    // The airport's figure is the same on both tiers.
    const [pro, enterprise] = waitTimes.map(({ security }) => ({ ...(security as JsonObject), terminals: [] }))
    expect(pro).toEqual(enterprise)
  }
  await request('enterprise', '/airports/bulk', { codes: AIRPORTS })
  if (!withHours) return answers
  await request('pro', '/airports/JFK/predictions?days=1')
  await request('pro', '/airports/JFK/historical')
  for (const path of [
    '/airports/JFK/predictions?days=7',
    '/airports/LGA/predictions',
    '/airports/JFK/historical?days=30',
  ])
    await expectSameCsv({ call }, path, await request('enterprise', path))
  return answers
}

/** An answer in which terminals and checkpoints have all fields that they have from the level above. */
function withWholeWaits(body: JsonObject): JsonObject {
  const whole = (waits: JsonObject): JsonObject => ({
    ...waits,
    ...Object.fromEntries(
      ['security', 'check_in', 'immigration'].map((kind) => [
        kind,
        withProvenanceEverywhere(waits[kind] as unknown as ShownQueueWait) as unknown as JsonObject,
      ]),
    ),
  })
  if ('security' in body && 'check_in' in body) return whole(body)
  const { data } = body
  if (!Array.isArray(data) || !data.some((row) => row !== null && typeof row === 'object' && 'check_in' in row))
    return body
  return { ...body, data: (data as JsonObject[]).map(whole) }
}

/** Expects the same figures in the CSV of an answer as in its JSON, row by row: hours and their terminals. */
async function expectSameCsv({ call }: Pick<Harness, 'call'>, path: string, body: JsonObject): Promise<void> {
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

/** All answers of the MCP tools that take an airport. The minutes in each text must be in its structured content. */
export async function toolAnswers({ call }: Harness): Promise<Answer[]> {
  const answers: Answer[] = []
  const toolArguments: Record<string, object[]> = {
    search_airports: [{ query: 'new york' }],
    compare_airports: [{ airports: AIRPORTS }],
    get_faa_delays: [{}],
    get_wait_time_predictions: [{ iata: 'JFK', days: 7 }, { iata: 'XSM' }],
  }
  // Other tests check these tools: test/pipeline/live/answer-live-requests.test.ts the live waits, and
  // test/api/tools/crowd-reports.test.ts travellers' reports. Reference facts have no waits.
  const excludedTools = [
    'get_terminals',
    'get_lounges',
    'get_live_wait_time',
    'get_best_time_to_fly',
    'submit_wait_time_report',
    'create_wait_time_alert',
  ]
  const waitTools = TOOLS.filter(({ name, query }) => name in toolArguments || 'iata' in query.input.shape)
  for (const { name } of waitTools.filter((tool) => !excludedTools.includes(tool.name)))
    for (const argument of toolArguments[name] ?? AIRPORTS.map((iata) => ({ iata }))) {
      const { structuredContent: body, content } = await callTool({ call }, name, argument)
      answers.push({ name: `${name} ${JSON.stringify(argument)}`, body })
      const minutesInText = [
        ...(content[0]?.text ?? '').matchAll(/(?:about |, )(\d+) min(?:utes)? (?:at security|\()/g),
      ]
      const numbers = JSON.stringify(body)
      for (const [, minutes] of minutesInText)
        expect(numbers, `${name}: ${content[0]?.text}`).toMatch(new RegExp(`minutes":${minutes}\\b`))
    }
  return answers
}

interface ToolResult {
  structuredContent: JsonObject
  content: { text: string }[]
}

/** A tool's answer to an enterprise key. */
export async function callTool(
  { call }: Pick<Harness, 'call'>,
  name: string,
  toolArguments: object,
): Promise<ToolResult> {
  const answer = await call('enterprise', '/mcp', toolCall(name, toolArguments))
  const result = messagesOf(answer.body)[0]!.result as unknown as ToolResult
  expect(result.structuredContent, `${name}: ${answer.body.slice(0, 300)}`).toBeDefined()
  return result
}
