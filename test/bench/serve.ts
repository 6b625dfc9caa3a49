import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import Fastify, { type FastifyInstance } from 'fastify'
import { issueKey } from '../../api/access/keys.ts'
import { buildApp } from '../../api/app.ts'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'
import { TIERS } from '../../config/tiers.ts'
import { DIRECTORY } from '../api/airports.ts'
import { snapshotAt } from '../api/world.ts'

export interface Measurement {
  name: string
  value: number
  unit: string
  target: number
  ok: boolean
}

const CONNECTIONS = 32
const SECONDS = 3
const ROUNDS = 3
/** Least share of a bare Fastify route of the same size that our route must serve. */
const LEAST_RATIO = 0.6
const MOST_P99_MS = 10

interface Load {
  requests_per_second: number
  p99_ms: number
}

/** Loads an address for some seconds; `rate` caps the requests a second. Anything but 200 is a failure of the bench. */
async function load(url: string, headers: Record<string, string>, rate?: number): Promise<Load> {
  const options = { url, headers, connections: CONNECTIONS, duration: SECONDS }
  const result = await autocannon(rate === undefined ? options : { ...options, overallRate: rate })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 200`)
  return { requests_per_second: result.requests.average, p99_ms: result.latency.p99 }
}

async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** A bare Fastify route that answers a constant of the same bytes: what the machine can do at best. */
async function bareServer(bytes: Buffer): Promise<{ app: FastifyInstance; url: string }> {
  const app = Fastify({ logger: false })
  app.get('/', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
  return { app, url: await listen(app) }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/**
 * Our route against the bare one, in turns so that both meet the same machine; then both at half of our load. What the
 * bare route takes at that rate is the machine's own share of the p99, and is told beside ours.
 */
async function compare(name: string, url: string, headers: Record<string, string>): Promise<Measurement[]> {
  const answer = await fetch(url, { headers })
  const bare = await bareServer(Buffer.from(await answer.arrayBuffer()))
  try {
    const ratios: number[] = []
    let served = 0
    await load(url, headers)
    for (let round = 0; round < ROUNDS; round++) {
      const best = await load(bare.url, headers)
      const ours = await load(url, headers)
      ratios.push(ours.requests_per_second / best.requests_per_second)
      served = Math.max(served, ours.requests_per_second)
    }
    const ratio = Math.round(median(ratios) * 100) / 100
    const half = Math.round(served / 2)
    const floor = (await load(bare.url, headers, half)).p99_ms
    const { p99_ms } = await load(url, headers, half)
    const latency = `${name}: p99 at half load (a bare route: ${floor} ms)`
    return [
      {
        name: `${name}: share of a bare route`,
        value: ratio,
        unit: 'ratio',
        target: LEAST_RATIO,
        ok: ratio >= LEAST_RATIO,
      },
      { name: latency, value: p99_ms, unit: 'ms', target: MOST_P99_MS, ok: p99_ms < MOST_P99_MS },
    ]
  } finally {
    await bare.app.close()
  }
}

/** Measures the request path with key, limits and metering switched on, over real connections. */
export async function benchServe(): Promise<Measurement[]> {
  const data_dir = mkdtempSync(join(tmpdir(), 'holdshort-bench-'))
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir })
  const state = await openState(settings)
  const now = Date.now()
  const { key } = await issueKey(state, { tier: 'enterprise' }, now)
  // The limit stays in force; it is only set so high that the load does not meet it.
  const usual = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 3_000_000
  const snapshot = snapshotAt(now)
  const app = await buildApp({ settings, state, directory: DIRECTORY, holder: { current: () => snapshot } })
  try {
    const base = `${await listen(app)}/api/v1/airports/JFK`
    const headers = { authorization: `Bearer ${key}` }
    const day = new Date(now + 2 * 86_400_000).toISOString().slice(0, 10)
    return [
      ...(await compare('wait-times', `${base}/wait-times`, headers)),
      ...(await compare('predictions', `${base}/predictions?date=${day}`, headers)),
      ...(await compare('historical', `${base}/historical?days=2`, headers)),
    ]
  } finally {
    TIERS.enterprise.requests_per_minute = usual
    await app.close()
    await state.close()
    rmSync(data_dir, { recursive: true, force: true })
  }
}
