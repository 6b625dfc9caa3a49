import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { issueKey } from '../../api/accounts/keys/keys.ts'
import { sizedAnswer } from '../../api/data/tools/answer-size.ts'
import { TOOLS } from '../../api/registry.ts'
import { openState } from '../../api/state/open.ts'
import type { State } from '../../api/state/state.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HOUR_MS, isoUtc } from '../../config/domain.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bigSnapshot } from './big-snapshot.ts'
import { load } from './load.ts'
import { busyAirports, withWaitsDelaysAndWeather } from './mcp-snapshot.ts'
import { type Measurement, median } from './measurement.ts'
import { type ServedProcess, serveProcess } from './served-process.ts'
import { steadyLoad } from './steady-load.ts'

const MIN_CALLS = 5_000
const MIN_LISTINGS = 10_000
const MIN_PLAIN_LISTINGS = 8_000
const MIN_DISTINCT_CALLS = 8_000
const MAX_P99_MS = 20
const ROUNDS = 3
const SECONDS = 2
const CALLS = 200_000
const CALLS_PER_STEP = 50_000
const MAX_GROWTH_MB = 3
const TOOL_ROUNDS = 200

type Call = [tool: string, input: Record<string, unknown>]

const airportsWith = ({ scheduled_service }: { scheduled_service: boolean }) =>
  airportDirectory().all.filter((airport) => airport.scheduled_service === scheduled_service)

const soon = (now: number) => isoUtc(now + 20 * HOUR_MS)

/** The most frequent calls of agents, over many airports. */
function typicalCalls(now: number): Call[] {
  const all = airportsWith({ scheduled_service: true })
  const departure = soon(now)
  return busyAirports().flatMap(({ iata }, n): Call[] => {
    const anywhere = all[(n * 7_919) % all.length]!
    return [
      ['get_security_wait_estimate', { iata }],
      ['get_security_wait_estimate', { iata: anywhere.iata }],
      ['search_airports', { query: anywhere.city ?? anywhere.name }],
      ['search_airports', { query: iata }],
      ['get_airport_overview', { iata }],
      ['get_faa_delays', { iata }],
      ['get_best_time_to_fly', { iata, departure, international: true }],
      ['get_aviation_weather', { iata: anywhere.iata }],
    ]
  })
}

/** Calls of the same tools, none of which comes twice: over every airport, and with other limits and minutes. */
function distinctCalls(now: number): Call[] {
  const all = airportsWith({ scheduled_service: true })
  const busy = busyAirports()
  const departure = soon(now)
  return Array.from({ length: Math.floor(all.length / 2) }, (_, n): Call[] => {
    const [one, another] = [all[2 * n]!, all[2 * n + 1]!]
    const { iata } = busy[n % busy.length]!
    const round = Math.floor(n / busy.length)
    return [
      ['get_security_wait_estimate', { iata: one.iata }],
      ['get_security_wait_estimate', { iata: another.iata }],
      ['search_airports', { query: `${one.city ?? ''} ${one.name}` }],
      ['search_airports', { query: iata, limit: 1 + round }],
      ['get_airport_overview', { iata: one.iata }],
      ['get_faa_delays', { iata: one.iata }],
      ['get_best_time_to_fly', { iata, departure, international: true, travel_minutes: round }],
      ['get_aviation_weather', { iata: another.iata }],
    ]
  }).flat()
}

const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Post = { headers: Record<string, string>; body: string }

/** A request of the protocols of 2025, or of 2026-07-28, which repeats method and name in headers. */
function post(id: number, method: string, params: Record<string, unknown>, modern = false): Post {
  const body = (content: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params: content })
  if (!modern) return { headers: LEGACY, body: body(params) }
  const named = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const headers = { ...LEGACY, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named }
  return { headers, body: body({ ...params, _meta: META }) }
}

/** Accepts compressed answers, as clients over `fetch` do. */
const acceptingGzip = ({ headers, body }: Post): Post => ({
  headers: { ...headers, 'accept-encoding': 'gzip, deflate' },
  body,
})

const callPosts = (calls: Call[], modern: boolean) =>
  calls.map(([name, input], id) => post(id, 'tools/call', { name, arguments: input }, modern))

/** Checks that every request succeeds, because tool errors are cheap. Returns the answer of median size. */
async function checkAnswers(url: string, posts: Post[], headers: Record<string, string>): Promise<Buffer> {
  const answers: Buffer[] = []
  for (const { headers: own, body } of posts) {
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...own }, body })
    const text = await answer.text()
    if (answer.status !== 200 || !/^{"result"/.test(text) || text.includes('"isError"'))
      throw new Error(`${body} was answered ${answer.status} ${text.slice(0, 300)}`)
    answers.push(Buffer.from(text))
  }
  return answers.toSorted((a, b) => a.length - b.length)[Math.floor(answers.length / 2)]!
}

interface RequestKind {
  name: string
  posts: Post[]
  /** Target in requests per second; null for information only. */
  min_rate: number | null
}

/**
 * Measures one kind of request at full load, alternating with a bare Fastify route that answers the same posts with a constant
 * of the same size; then at half of the target rate, for the p99.
 */
async function measure(server: ServedProcess, headers: Record<string, string>, { name, posts, min_rate }: RequestKind) {
  const url = `${server.url}/mcp`
  const bytes = await checkAnswers(url, posts, headers)
  const bare = Fastify({ logger: false })
  const compressedBytes = gzipSync(bytes)
  bare.post('/mcp', ({ headers: { 'accept-encoding': accepted } }, reply) => {
    reply.header('content-type', 'application/json')
    return accepted ? reply.header('content-encoding', 'gzip').send(compressedBytes) : reply.send(bytes)
  })
  try {
    const bareUrl = `${await bare.listen({ host: '127.0.0.1', port: 0 })}/mcp`
    const options = { seconds: SECONDS, headers, posts }
    await load(url, options)
    const rounds: { served: number; share: number; perCpu: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const best = await load(bareUrl, options)
      await server.cpuSeconds()
      const { requests_per_second: served } = await load(url, options)
      const perCpu = (served * SECONDS) / (await server.cpuSeconds())
      rounds.push({ served, share: served / best.requests_per_second, perCpu })
    }
    const of = (figure: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[figure]))
    const found: Measurement[] = [
      {
        name: `${name}: requests`,
        value: of('served'),
        unit: '1/s',
        target: min_rate === null ? null : { at_least: min_rate },
      },
      { name: `${name}: share of a bare route`, value: of('share'), unit: 'of 1', target: null },
      { name: `${name}: by a second of its processor time`, value: of('perCpu'), unit: '1/s', target: null },
    ]
    if (min_rate === null) return found
    const p99: { bare: number; ours: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const atHalf = { ...options, rate: min_rate / 2 }
      p99.push({ bare: (await steadyLoad(bareUrl, atHalf)).p99_ms, ours: (await steadyLoad(url, atHalf)).p99_ms })
    }
    const half = `p99 at ${min_rate / 2}/s`
    return [
      ...found,
      {
        name: `${name}: ${half}`,
        value: median(p99.map((one) => one.ours)),
        unit: 'ms',
        target: { at_most: MAX_P99_MS },
      },
      { name: `${name}: ${half}, bare route`, value: median(p99.map((one) => one.bare)), unit: 'ms', target: null },
    ]
  } finally {
    await bare.close()
  }
}

/**
 * What is in use after all garbage is collected, each 50,000 of 200,000 calls. What the first 50,000 leave behind is caches
 * and compiled code; the heap after the last may hold 3 MB more than after those (20 bytes a call).
 */
async function memory(server: ServedProcess, posts: Post[], headers: Record<string, string>): Promise<Measurement[]> {
  const steps: { heap_mb: number; rss_mb: number }[] = []
  for (let made = 0; made < CALLS; made += CALLS_PER_STEP) {
    await load(`${server.url}/mcp`, { seconds: 0, amount: CALLS_PER_STEP, headers, posts })
    steps.push(await server.heap())
  }
  const growth = steps.at(-1)!.heap_mb - steps[0]!.heap_mb
  return [
    ...steps.flatMap(({ heap_mb, rss_mb }, step): Measurement[] => {
      const after = `after ${((step + 1) * CALLS_PER_STEP) / 1_000},000 calls`
      return [
        { name: `mcp: heap ${after}`, value: heap_mb, unit: 'MB', target: null },
        { name: `mcp: resident ${after}`, value: rss_mb, unit: 'MB', target: null },
      ]
    }),
    { name: 'mcp: heap grown in 150,000 calls', value: growth, unit: 'MB', target: { at_most: MAX_GROWTH_MB } },
  ]
}

/** The time each read-only tool takes for its answer and text, with its example input. */
async function ownTimes(snapshot: Snapshot, state: State, now: number): Promise<Measurement[]> {
  const context = { snapshot, state, directory: airportDirectory(), tier: 'enterprise', now }
  const found: Measurement[] = []
  const tools = TOOLS.map((tool) => ({ ...tool, input: tool.example }))
  const board = tools.find(({ name }) => name === 'get_ees_wait_times')!
  for (const tool of [...tools, { ...board, name: `${board.name} of all`, input: {} }]) {
    const { name, annotations, query, input: example } = tool
    if (!annotations.readOnlyHint || annotations.openWorldHint) continue
    const input = 'departure' in example ? { ...example, departure: soon(now) } : example
    const spent: number[] = []
    for (let round = 0; round < 2 * TOOL_ROUNDS; round++) {
      const start = performance.now()
      const answer = await query.run(input, context as never)
      sizedAnswer(tool, answer, { view: { detail: 'brief', page: 1 }, input, site_url: '' })
      spent.push(performance.now() - start)
    }
    found.push({ name: `${name}: itself`, value: median(spent.slice(TOOL_ROUNDS)), unit: 'ms', target: null })
  }
  return found
}

/** Measures tools over HTTP with a key, on a process that serves every airport: rates, latency, memory, each tool's own time. */
export async function benchMcp(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const { data_dir } = warehouse
  const { snapshots } = dataPaths(data_dir)
  const state = await openState(readSettings({ HOLDSHORT_DATA_DIR: data_dir }))
  const { key } = await issueKey(state, { tier: 'enterprise' }, Date.now())
  const headers = { authorization: `Bearer ${key}` }
  bar.update(0, 7, 'a snapshot of every airport')
  await writeSnapshot(snapshots, withWaitsDelaysAndWeather(await bigSnapshot(warehouse, now)))
  const snapshot = await loadSnapshot(snapshots)
  const found = await ownTimes(snapshot!, state, now)
  await state.close()
  const server = await serveProcess(data_dir, headers)
  try {
    const mixed = typicalCalls(now)
    const distinct = callPosts(distinctCalls(now), false)
    const notRepeated = async (calls: Post[]) =>
      (await load(`${server.url}/mcp`, { seconds: 0, amount: calls.length, headers, posts: calls })).requests_per_second
    // The first half, so that the code is compiled.
    await notRepeated(distinct.slice(0, distinct.length / 2))
    found.push({
      name: 'tools/call, none repeated',
      value: await notRepeated(distinct.slice(distinct.length / 2)),
      unit: '1/s',
      target: { at_least: MIN_DISTINCT_CALLS },
    })
    const estimates = airportsWith({ scheduled_service: false }).map(
      ({ iata }): Call => ['get_security_wait_estimate', { iata }],
    )
    found.push({
      name: 'tools/call, the estimate of 5,000 airports, none repeated',
      value: await notRepeated(callPosts(estimates, false)),
      unit: '1/s',
      target: null,
    })
    const kinds: RequestKind[] = [
      { name: 'tools/list', posts: [acceptingGzip(post(1, 'tools/list', {}))], min_rate: MIN_LISTINGS },
      { name: 'tools/list, not compressed', posts: [post(1, 'tools/list', {})], min_rate: MIN_PLAIN_LISTINGS },
      { name: 'tools/call', posts: callPosts(mixed, false), min_rate: MIN_CALLS },
      { name: 'tools/call of 2026-07-28', posts: callPosts(mixed, true), min_rate: null },
    ]
    for (const [done, kind] of kinds.entries()) {
      bar.update(done + 1, 7, kind.name)
      found.push(...(await measure(server, headers, kind)))
    }
    bar.update(5, 7, '200,000 calls')
    return [...found, ...(await memory(server, callPosts(mixed, false), headers))]
  } finally {
    await server.stop()
  }
}
