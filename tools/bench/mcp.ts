import Fastify from 'fastify'
import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths } from '../../config/settings.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bigSnapshot } from './big-snapshot.ts'
import { load, type Post } from './load.ts'
import { busyAirports, withWaitsDelaysAndWeather } from './mcp-snapshot.ts'
import type { Measurement } from './measurement.ts'
import { enterpriseHeaders, type ServedProcess, serveProcess } from './served-process.ts'

const ROUNDS = 3
const CALLS_PER_ROUND = 1_600
const SDK_CALLS_PER_ROUND = 800
/** V8 compiles the code of the tools again and again during the first thousands of calls. */
const WARM_UP_CALLS = 11_200
const BARE_WARM_UP_SECONDS = 4
const BARE_SECONDS = 1
/** Calls whose answers are read, to know a typical one. */
const SAMPLE = 160
const MIN_SHARE = 0.3

type Call = [tool: string, input: Record<string, unknown>]

const ONLY_BRIEF = 'get_security_wait_estimate'

/** The most frequent calls of agents, over every airport with scheduled flights; no call comes twice. */
function calls(now: number): Call[] {
  const all = airportDirectory().all.filter(({ scheduled_service }) => scheduled_service)
  const busy = busyAirports()
  const departure = isoUtc(now + 20 * HOUR_MS)
  return Array.from({ length: Math.floor(all.length / 2) }, (_, n): Call[] => {
    const [first, another] = [all[2 * n]!, all[2 * n + 1]!]
    const { iata } = busy[n % busy.length]!
    const round = Math.floor(n / busy.length)
    return [
      [ONLY_BRIEF, { iata: first.iata }],
      [ONLY_BRIEF, { iata: another.iata }],
      ['search_airports', { query: `${first.city ?? ''} ${first.name}` }],
      ['search_airports', { query: iata, limit: 1 + round }],
      ['get_airport_overview', { iata: first.iata }],
      ['get_faa_delays', { iata: first.iata }],
      ['get_best_time_to_fly', { iata, departure, international: true, travel_minutes: 10 + round }],
      ['get_aviation_weather', { iata: another.iata }],
    ]
  }).flat()
}

/** The same questions for the whole answer: other calls, by the same code. */
const inFullDetail = (calls: Call[]): Call[] =>
  calls.filter(([tool]) => tool !== ONLY_BRIEF).map(([tool, input]) => [tool, { ...input, detail: 'full' }])

/** Requests of the protocols of 2025. A type with a parameter is answered by the SDK, without the fast path. */
const posts = (calls: Call[], type: string): Post[] =>
  calls.map(([name, input], id) => ({
    headers: { 'content-type': type, accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } }),
  }))
const FAST = 'application/json'
const SDK = 'application/json; charset=utf-8; a=b'

/** The answer of median size. @throws Error when a call fails, because tool errors are cheap */
async function typicalAnswer(url: string, headers: Record<string, string>, sent: Post[]): Promise<Buffer> {
  const answers: Buffer[] = []
  for (const { headers: own, body } of sent) {
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...own }, body })
    const text = await answer.text()
    if (answer.status !== 200 || !text.startsWith('{"result"') || text.includes('"isError"'))
      throw new Error(`${body} was answered ${answer.status} ${text.slice(0, 300)}`)
    answers.push(Buffer.from(text))
  }
  return answers.toSorted((a, b) => a.length - b.length)[Math.floor(answers.length / 2)]!
}

/** Calls in rounds that alternate with a bare Fastify route, which answers the same posts with a typical answer. */
async function measure(server: ServedProcess, headers: Record<string, string>, all: Call[]): Promise<Measurement[]> {
  const url = `${server.url}/mcp`
  const bytes = await typicalAnswer(url, headers, posts(all.slice(0, SAMPLE), FAST))
  let used = SAMPLE
  const next = (type: string, calls: number) => {
    used += calls
    if (used > all.length) throw new Error(`there are only ${all.length} calls, and none may come twice`)
    return posts(all.slice(used - calls, used), type)
  }
  const bare = Fastify({ logger: false })
  bare.post('/mcp', (_request, reply) => reply.header('content-type', 'application/json').send(bytes))
  try {
    const bareUrl = `${await bare.listen({ host: '127.0.0.1', port: 0 })}/mcp`
    const once = (list: Post[]) => load(url, { seconds: 0, headers, posts: list, once: true })
    const bareLoad = (seconds: number) => load(bareUrl, { seconds, headers, posts: posts(all.slice(0, 320), FAST) })
    await once(posts(inFullDetail(all).slice(0, WARM_UP_CALLS), FAST))
    await once(next(SDK, SDK_CALLS_PER_ROUND))
    await bareLoad(BARE_WARM_UP_SECONDS)
    const rounds: { share: number; cpu: number; sdk_cpu: number; served: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const best = await bareLoad(BARE_SECONDS)
      await server.cpuSeconds()
      const ours = await once(next(FAST, CALLS_PER_ROUND))
      const cpu = (await server.cpuSeconds()) / CALLS_PER_ROUND
      await once(next(SDK, SDK_CALLS_PER_ROUND))
      const sdk_cpu = (await server.cpuSeconds()) / SDK_CALLS_PER_ROUND
      const served = ours.requests_per_second
      rounds.push({ share: served / best.requests_per_second, cpu: cpu * 1e6, sdk_cpu: sdk_cpu * 1e6, served })
    }
    const medianOf = (figure: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[figure]))
    return [
      { name: 'tools/call, none repeated', value: medianOf('served'), unit: '1/s', target: null },
      {
        name: 'tools/call: share of a bare route',
        value: medianOf('share'),
        unit: 'of 1',
        target: { at_least: MIN_SHARE },
      },
      { name: 'tools/call: processor time', value: medianOf('cpu'), unit: 'µs', target: null },
      { name: 'tools/call by the SDK: processor time', value: medianOf('sdk_cpu'), unit: 'µs', target: null },
    ]
  } finally {
    await bare.close()
  }
}

/** Measures tools over HTTP with a key, limits and metering, on a process that serves every airport. */
export async function benchMcp(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const { data_dir } = warehouse
  const headers = await enterpriseHeaders(data_dir)
  bar.update(0, 2, 'a snapshot of every airport')
  await writeSnapshot(dataPaths(data_dir).snapshots, withWaitsDelaysAndWeather(await bigSnapshot(warehouse, now)))
  const server = await serveProcess(data_dir, headers)
  try {
    bar.update(1, 2, 'calls')
    return await measure(server, headers, calls(now))
  } finally {
    await server.stop()
  }
}
