import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import Fastify, { type FastifyInstance } from 'fastify'
import { insertAccountWithKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { buildApp } from '../../bin/service/app.ts'
import { readSettings } from '../../config/settings.ts'
import { TIERS } from '../../config/tiers.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { DIRECTORY } from '../../test/api/airport-directory.ts'
import { snapshotAt } from '../../test/api/example-snapshot.ts'
import { historyOf } from '../../test/api/fake-snapshot.ts'
import { load } from './load.ts'
import type { Measurement } from './measurement.ts'

const SECONDS = 2
const ROUNDS = 5
const LATENCY_ROUNDS = 5
const HISTORY_DAYS = 90
/** Callers in rotation: a service has many, and each has limits and usage of its own. */
const CALLERS = 1_000
/** Callers whose first calls come within a second. */
const NEW_CALLERS = 600
const MAX_FIRST_CALLS_MS = 150

interface Route {
  name: string
  path: string
  /** Target: our rate as a share of the rate of a bare Fastify route with answers of the same size. */
  min_share: number
  /** Null when writing one answer takes milliseconds by itself. */
  max_p99_ms: number | null
}

/** The measured routes; each must reach its targets. */
const ROUTES: Route[] = [
  { name: 'GET wait-times', path: '/wait-times', min_share: 0.85, max_p99_ms: 10 },
  { name: 'GET predictions, 168 h', path: '/predictions?days=7', min_share: 0.6, max_p99_ms: 10 },
  { name: 'GET predictions, a day', path: '/predictions', min_share: 0.7, max_p99_ms: 10 },
  { name: 'GET historical, 90 days', path: `/historical?days=${HISTORY_DAYS}`, min_share: 0.5, max_p99_ms: null },
]

/** The tests' snapshot, with every hour of 90 days observed at JFK and at one of its terminals. */
function observedSnapshot(now: number) {
  const hours = HISTORY_DAYS * 24
  const end = Math.floor(now / HOUR_MS) * HOUR_MS
  const starts = Array.from({ length: hours }, (_, index) => end - (hours - index) * HOUR_MS)
  const wait = (start: number) => 50 + ((start / HOUR_MS) % 24) * 10
  return snapshotAt(now, { history: [historyOf('JFK', starts, wait), historyOf('JFK', starts, wait, 'T4')] })
}

/** Headers that Node.js writes itself. */
const OF_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive'])

/** A bare Fastify route that answers the same bytes and the same headers: the best this machine can do. */
async function bareServer(answer: Response): Promise<{ app: FastifyInstance; url: string }> {
  const text = await answer.text()
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_NODE.has(name)))
  const app = Fastify({ logger: false })
  app.get('/', (_request, reply) => reply.headers(headers).send(text))
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/**
 * Measures an address at full load. On two cores the generator is often the slower side, and then both routes look alike: so
 * requests are also counted per second in which the server's event loop was busy.
 */
async function fullLoad(url: string, headers: Record<string, string>[]) {
  const before = performance.eventLoopUtilization()
  const { requests_per_second } = await load(url, { seconds: SECONDS, headers })
  const { active } = performance.eventLoopUtilization(before)
  return { served: requests_per_second, perBusy: (requests_per_second * SECONDS) / (active / 1_000) }
}

/**
 * Compares our route with the bare one, alternating so that both run under the same conditions; then both at half of our rate.
 * The bare route's p99 at that rate is the machine's own share of ours.
 */
async function compare(
  { name, min_share, max_p99_ms }: Route,
  url: string,
  headers: Record<string, string>[],
): Promise<Measurement[]> {
  // Not compressed, as the generator asks for it.
  const answer = await fetch(url, { headers: { ...headers[0], 'accept-encoding': 'identity' } })
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  const bare = await bareServer(answer)
  try {
    const options = { seconds: SECONDS, headers }
    await load(url, options)
    await load(bare.url, options)
    const rounds: { share: number; busyShare: number; served: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const best = await fullLoad(bare.url, headers)
      const ours = await fullLoad(url, headers)
      rounds.push({ share: ours.served / best.served, busyShare: ours.perBusy / best.perBusy, served: ours.served })
    }
    const served = median(rounds.map((round) => round.served))
    const halfRate = { ...options, rate: Math.round(served / 2) }
    const p99: { bare: number; ours: number }[] = []
    for (let round = 0; round < LATENCY_ROUNDS; round++)
      p99.push({ bare: (await load(bare.url, halfRate)).p99_ms, ours: (await load(url, halfRate)).p99_ms })
    return [
      { name: `${name}: requests`, value: served, unit: '1/s', target: null },
      {
        name: `${name}: share of a bare route`,
        value: median(rounds.map(({ share }) => share)),
        unit: 'of 1',
        target: { at_least: min_share },
      },
      {
        name: `${name}: share by a busy second`,
        value: median(rounds.map(({ busyShare }) => busyShare)),
        unit: 'of 1',
        target: null,
      },
      {
        name: `${name}: p99 at half load`,
        value: median(p99.map(({ ours }) => ours)),
        unit: 'ms',
        target: max_p99_ms === null ? null : { at_most: max_p99_ms },
      },
      {
        name: `${name}: p99 of the bare route`,
        value: median(p99.map(({ bare: ms }) => ms)),
        unit: 'ms',
        target: null,
      },
    ]
  } finally {
    await bare.app.close()
  }
}

/** Measures the request path with key, limits and metering switched on, over real connections. */
export async function benchServe(bar: Progress): Promise<Measurement[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir })
  const state = await openState(settings)
  const now = Date.now()
  const callers = await state.changeAccess(async (transaction) => {
    const headers: Record<string, string>[] = []
    while (headers.length < CALLERS + NEW_CALLERS) {
      const { key } = await insertAccountWithKey(transaction, state.pepper, { tier: 'enterprise' }, now)
      headers.push({ authorization: `Bearer ${key}` })
    }
    return headers
  })
  // The limit stays in force; it is only too high for the load to reach it.
  const originalLimit = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 6_000
  const snapshot = observedSnapshot(now)
  const app = await buildApp({ settings, state, directory: DIRECTORY, holder: { current: () => snapshot } })
  try {
    const base = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/airports/JFK`
    const found: Measurement[] = []
    for (const [done, route] of ROUTES.entries()) {
      bar.update(done, ROUTES.length, route.name)
      found.push(...(await compare(route, base + route.path, callers.slice(NEW_CALLERS))))
    }
    const firstCalls = { seconds: 1, rate: NEW_CALLERS, headers: callers.slice(0, NEW_CALLERS) }
    const first = await load(`${base}/wait-times`, firstCalls)
    const again = await load(`${base}/wait-times`, firstCalls)
    const name = `first calls of ${NEW_CALLERS} keys in a second: p99`
    return [
      ...found,
      { name, value: first.p99_ms, unit: 'ms', target: { at_most: MAX_FIRST_CALLS_MS } },
      { name: `${name} of the same calls again`, value: again.p99_ms, unit: 'ms', target: null },
    ]
  } finally {
    TIERS.enterprise.requests_per_minute = originalLimit
    await app.close()
    await state.close()
    await rm(data_dir, { recursive: true, force: true })
  }
}
