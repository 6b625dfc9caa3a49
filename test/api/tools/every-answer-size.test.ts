import { encode } from 'gpt-tokenizer'
import { beforeAll, expect, test } from 'vitest'
import { type AsyncContext, runQuery } from '../../../api/async-question.ts'
import { sizedAnswer } from '../../../api/tools/answer-size.ts'
import type { Tool } from '../../../api/tools/define.ts'
import { TOOLS } from '../../../bin/service/registry.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import type { QueueWait } from '../../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { unseenImmigration } from '../../../forecasting/prior/immigration.ts'
import type { BorderForecast } from '../../../warehouse/publishing/read/border-forecasts.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { LIVE_WAIT, liveAnswer } from '../../jobs/calls/live-answer.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { type FakeSnapshotContent, forecastFrom, historyOf, measured } from '../fake-snapshot.ts'
import { openHarness } from '../harness.ts'
import { legacy, messagesOf, post } from '../mcp/requests.ts'

/** Every default answer of every tool in every situation stays under the limit, as an agent's tokenizer counts it. */
const MAX_TOKENS = 1_500
const MAX_FULL_TOKENS = 12_500

test('every default answer is under 1,500 tokens and every full one under 12,500, in every situation', async () => {
  const harness = await openHarness({}, { directory: airportDirectory() })
  const { call, controls } = harness
  controls.answerLive = async () => liveAnswer({ wait: large(), last_known: Object.assign({ ...LIVE_WAIT }, large()) })
  const sizes: [tokens: number, name: string][] = []
  const readOnly = TOOLS.filter(({ annotations }) => annotations.readOnlyHint)
  const situations = Object.entries(SITUATIONS).filter(([name]) => EXHAUSTIVE || name === EVERYDAY)
  let answered = 0
  for (const [situation, content] of situations) {
    controls.snapshot = snapshotAt(NOW, content)
    for (const { name, example, query, pages, brief } of readOnly) {
      const ofAirports = 'iata' in query.input.shape ? AIRPORTS.map((iata) => ({ ...example, iata })) : []
      const all: object[] = [
        example,
        ...(ARGUMENTS[name] ?? []).slice(0, repetitions(1, 9)),
        ...ofAirports.slice(0, repetitions(0, 4)),
      ]
      if (pages || (EXHAUSTIVE && brief)) all.push({ ...example, detail: 'full' })
      for (const input of all) {
        // Another minute, so that the limit per minute of the key never refuses.
        controls.now += 1
        const answer = await call('enterprise', '/mcp', post(legacy('tools/call', { name, arguments: input })))
        const result = messagesOf(answer.body)[0]!.result as unknown as {
          isError?: boolean
          content: { text: string }[]
          structuredContent: object
        }
        if (result.isError) continue
        answered += 1
        const { content: texts, structuredContent } = result
        const tokens = encode(JSON.stringify({ content: texts, structuredContent })).length
        const limit = 'detail' in input ? MAX_FULL_TOKENS : MAX_TOKENS
        if (tokens >= limit) sizes.push([tokens, `${situation}: ${name} ${JSON.stringify(input)}`])
      }
    }
  }
  expect(sizes).toEqual([])
  expect(answered).toBeGreaterThan(repetitions(30, 250))
}, 60_000)

/** A tool whose lists are cut as far as they can be, those within entries to one; or not at all. */
const withLimits = (tool: Tool, limitOf: (list: string) => number): Tool => ({
  ...tool,
  limits: Object.fromEntries(Object.keys(tool.limits!).map((list) => [list, limitOf(list)])),
})

const REPORTS = Array.from({ length: 12 }, (_, index) => {
  const observed_at = isoUtc(NOW - (5 + index * 11) * 60_000)
  return { queue: 'security', terminal: null, lane: null, wait_minutes: 5 + index * 7, observed_at, landed_at: null }
})

/** A database with these reports, whatever is asked. */
const reportsAsked: object = new Proxy(
  { execute: async () => REPORTS, executeTakeFirstOrThrow: async () => ({ held: 3 }) },
  { get: (known, name) => Reflect.get(known, name) ?? (() => reportsAsked) },
)

const contextOf = (snapshot: Snapshot) =>
  ({
    snapshot,
    directory: airportDirectory(),
    tier: 'enterprise',
    now: NOW,
    site_url: 'https://holdshort.example',
    signal: () => new AbortController().signal,
    pipelineClient: {
      call: async () => liveAnswer({ wait: large(), last_known: Object.assign({ ...LIVE_WAIT }, large()) }),
    },
    state: { db: reportsAsked },
  }) as unknown as AsyncContext

const shortening: Tool[] = TOOLS.filter(
  // The index of airport names takes a second to build, so the search is tested in the exhaustive run.
  ({ name, limits, annotations }) =>
    annotations.readOnlyHint && limits !== undefined && (EXHAUSTIVE || name !== 'search_airports'),
)

/** Sentences and entries of a text, without the line about what is left out. */
const partsOf = (text: string) =>
  text
    .split('\n')
    // The names of the others stand only beside a list that is cut.
    .filter((line) => !/^(More|Also): /.test(line))
    .flatMap((line) => line.split(/(?<=[.;:]) /))
    .map((part) => part.replace(/[.;]$/, ''))

interface Pair {
  name: string
  whole: string
  cut: string
}

const pairs: Pair[] = []

beforeAll(async () => {
  for (const [situation, content] of Object.entries(SITUATIONS)) {
    if (!EXHAUSTIVE && situation !== EVERYDAY) continue
    const context = contextOf(snapshotAt(NOW, content))
    for (const tool of shortening) {
      const { name, example, query } = tool
      const others = AIRPORTS.filter((iata) => !('destination' in example) || iata !== example.destination)
      const airports = 'iata' in query.input.shape ? others.map((iata) => ({ ...example, iata })) : []
      const inputs: object[] = [
        example,
        ...(ARGUMENTS[name] ?? []).slice(0, repetitions(1, 9)),
        ...(EXHAUSTIVE ? airports : []),
      ]
      for (const input of inputs) {
        const answer = (await runQuery(query, input, context)) as Record<string, unknown>
        const sized = (limitOf: (list: string) => number) =>
          sizedAnswer(withLimits(tool, limitOf), answer, { view: { detail: 'brief', page: 1 }, input, site_url: '' })
            .text
        const cut = sized((list) => (list.includes('.') ? 1 : 0))
        pairs.push({ name: `${situation}: ${name}`, whole: sized(() => Number.POSITIVE_INFINITY), cut })
      }
    }
  }
})

test('the first line of every tool is the same however much its lists are cut', () => {
  const firstOf = (text: string) => text.split('\n')[0]
  for (const { name, whole, cut } of pairs) expect(firstOf(cut), name).toBe(firstOf(whole))
  expect(pairs.filter(({ whole, cut }) => whole !== cut).length).toBeGreaterThan(20)
})

test('a cut text says nothing that the whole one does not: a shorter list names how many more there are', () => {
  const lists = /(and \d+ more|\d+ not listed here)\)?$/
  for (const { name, whole, cut } of pairs) {
    const known = new Set(partsOf(whole))
    const added = partsOf(cut).filter((part) => !known.has(part) && !lists.test(part))
    expect(added, name).toEqual([])
  }
})

/** Situations that a traveller may be in, and arguments for each tool: what the answers of all tools are tested with. */

const TERMINALS = ['1', '2', '4', '5', '7', '8', 'Terminal North of the New Building', 'T9']

/** A queue of many terminals with six lanes each. */
function large(): QueueWait {
  const wait = measured(NOW, 14)
  const [terminal] = wait.terminals
  const [checkpoint] = terminal!.checkpoints
  const lanes = (['standard', 'precheck', 'clear', 'priority', 'family', 'crew'] as const).map((lane) => ({
    ...checkpoint!,
    lane,
    checkpoint: `Checkpoint ${lane} of the hall`,
  }))
  const terminals = TERMINALS.map((name) => ({ ...terminal!, terminal: name, checkpoints: lanes }))
  return { ...wait, terminals }
}

const closed: Partial<QueueWait> = {
  average_wait_minutes: null,
  status: 'closed',
  unavailable_reason: 'closed',
  reopens_at: isoUtc(NOW + 5 * HOUR_MS),
  reopens_basis: 'predicted',
  terminals: [],
}

const codes = airportDirectory()
  .all.filter(({ country, size }) => country === 'US' && size === 'large')
  .map(({ iata }) => iata)

function storm(): FakeSnapshotContent {
  const { delays, weather, tafs } = exampleContent()
  const jfk = delays!.JFK!
  const [program] = jfk.programs
  const programs = (['ground_stop', 'ground_delay', 'arrival_delay', 'departure_delay'] as const).map((type) => ({
    ...program!,
    type,
    reason: 'THUNDERSTORMS AND LOW CEILINGS AND RUNWAY CONSTRUCTION',
  }))
  const closure = {
    reason: 'RWY 04L/22R CLSD DUE TO SNOW REMOVAL AND DISABLED AIRCRAFT',
    start: isoUtc(NOW),
    end: isoUtc(NOW + 9 * HOUR_MS),
    closed_to_airlines: true,
    closed_hours_utc: '1000-1300',
    closed_hours_local: 'every night from 05:00 to 08:00',
    in_force: true,
  }
  const state = Object.assign(
    { ...jfk },
    { programs, closures: Array(6).fill(closure), status: 'ground_stop' as const },
  )
  const taf = tafs!.KJFK!
  return {
    delays: Object.fromEntries(['JFK', 'LGA', ...codes].map((code) => [code, state])),
    weather: { KJFK: { ...weather!.KJFK!, flight_category: 'LIFR' as const, weather: '+TSRA FG' } },
    tafs: { KJFK: { ...taf, periods: Array(14).fill(taf.periods[1]) } },
  }
}

function full(): FakeSnapshotContent {
  const hours = Array.from({ length: 90 * 24 }, (_, index) => THIS_HOUR - (90 * 24 - index) * HOUR_MS)
  const place = { ref: 'A', operator: 'An operator', level: '2', access: 'private', airside: 'yes', fee: 'yes' }
  const kinds = ['terminal', 'lounge', 'checkpoint'] as const
  const places = Array.from({ length: 90 }, (_, index) =>
    Object.assign(
      { ...place },
      {
        kind: kinds[index % 3]!,
        name: `Place number ${index} of the airport`,
        opening_hours: 'Mo-Su 05:00-23:00',
        osm: `node/${index}`,
      },
    ),
  )
  return {
    queues: { 'JFK security': large() },
    forecasts: ['', ...TERMINALS].map((terminal) => forecastFrom('JFK', THIS_HOUR, terminal)),
    history: ['', ...TERMINALS].map((terminal) =>
      historyOf('JFK', hours, (start) => 60 + ((start / HOUR_MS) % 17) * 12, terminal),
    ),
    maps: [{ iata: 'JFK', fetched_at: isoUtc(NOW), places }],
  }
}

/** Passport control of which only what is typical is known, entry and exit apart. */
function typicalBorder(): BorderForecast[] {
  const hour = { p10: 4, p50: 15, p90: 33, samples: null, confidence: null }
  return (['entry', 'exit'] as const).map((direction) => {
    const { version, note, backtest } = unseenImmigration(direction)
    return {
      iata: 'ZRH',
      terminal: '',
      direction,
      basis: 'typical',
      version,
      trained_at: null,
      start_ms: THIS_HOUR,
      hours: Array.from({ length: 168 }, () => hour),
      backtest: Object.assign({ baseline_mae_minutes: null }, backtest),
      note,
    }
  })
}

const SITUATIONS: Record<string, FakeSnapshotContent> = {
  'an ordinary day': {},
  'closed at night': { queues: { 'JFK security': Object.assign(measured(NOW, 0), closed) } },
  'a storm': storm(),
  'no data': {
    queues: {},
    forecasts: [],
    history: [],
    delays: {},
    flowPrograms: [],
    weather: {},
    tafs: {},
    coverage: {},
  },
  'a large airport with 90 days': full(),
  'borders known by what is typical': { borderForecasts: typicalBorder() },
}

/** Arguments beyond each tool's example: abroad, a small airport, a week, everything. */
const ARGUMENTS: Record<string, object[]> = {
  search_airports: [{ query: 'london', limit: 50 }, { query: 'a', limit: 50 }, { query: 'zzzz' }],
  compare_airports: [{ airports: ['JFK', 'LGA', 'GRU', 'ZRH', 'DEL'] }],
  get_faa_delays: [{}],
  get_wait_time_predictions: [
    { iata: 'JFK', days: 7 },
    { iata: 'ZRH', days: 7 },
    { iata: 'JFK', date: '2026-11-22' },
  ],
  get_historical_wait_times: [
    { iata: 'JFK', days: 90 },
    { iata: 'JFK', days: 1 },
  ],
  get_airline_baggage_rankings: [{ period: '2023' }],
  get_airline_baggage_policy: ['AA', 'FR', 'LH', 'U2', 'NK', 'DL'].map((airline) => ({ airline })),
  get_ees_wait_times: [{}, { country: 'FR' }],
  discover_more_flight_tools: [{}, { topic: 'weather' }],
}

const AIRPORTS = ['JFK', 'ZRH', 'GRU', 'BRD']

/** The situation of the everyday run: the one with the longest answers. */
const EVERYDAY = 'a storm'
