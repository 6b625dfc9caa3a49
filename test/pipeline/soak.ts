import { load } from 'cheerio'
import { HOUR_MS, isoUtc } from '../../config/domain.ts'
import { FetchError } from '../../config/errors.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { runCanary } from '../../pipeline/collecting/canary.ts'
import { emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../pipeline/collecting/collect-source.ts'
import { createLanding } from '../../pipeline/collecting/landing.ts'
import type { RandomFaults } from '../../pipeline/simulator/faults.ts'
import { type RunningSimulatedWorld, type SentReading, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { simulatedSources } from '../../pipeline/simulator/simulated-sources.ts'
import type { Transport } from '../../pipeline/transport/transport.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { simulatedSettings, testTransport } from './test-pipeline.ts'

export interface SoakOptions {
  data_dir: string
  seed: number
  /** Epoch milliseconds. */
  from: number
  hours: number
  /** Simulated minutes between two rounds of all sources. */
  step_minutes: number
  random_faults: RandomFaults
  /** Called before each round, for example to switch on faults. */
  beforeRound?: (simulator: RunningSimulatedWorld, round: number) => void
  onProgress?: (done: number, total: number) => void
}

export interface SoakReport {
  sources: number
  answers: number
  /** Failed answers by error code. */
  failures: Record<string, number>
  /** Readings with a wait or a closure, as texts: those in undamaged answers, and those in the warehouse. */
  sent: Set<string>
  landed: string[]
  /** Readings of answers to the canary, whose probes land nothing themselves. */
  probed: Set<string>
  /** Circuits that the canary closed. */
  recovered: number
}

/** Sources of the simulated world with live waits. */
export const soakSources = (): Source[] =>
  simulatedSources(allSources()).filter(
    ({ active, timeliness, kind }) =>
      active && timeliness === 'live' && !['delays', 'metar', 'taf', 'places'].includes(kind),
  )

/**
 * Collects every source of the simulated world for some hours of simulated time, through the HTTP client and into a real warehouse
 * with its rollups and upkeep, and returns the readings that were sent and those that landed.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { data_dir, seed, from, hours, step_minutes, random_faults: mishaps } = options
  let now = from
  const sent = new Set<string>()
  const probed = new Set<string>()
  let current = sent
  const onEmission = (readings: SentReading[]) => {
    for (const reading of readings) current.add(textOf(reading))
  }
  const simulator = await startSimulatedWorld({
    seed,
    now: () => now,
    random_faults: mishaps,
    onExpectedReadings: onEmission,
  })
  const warehouse = await openWarehouse(data_dir)
  const landing = createLanding(warehouse)
  const transport = withPages(testTransport(simulator.url, { now: () => now, sleep: async () => undefined }))
  const context = { warehouse, landing, transport, now: () => now, memory: emptyMemory() }
  const settings = simulatedSettings(data_dir, simulator.url)
  const sources = soakSources()
  const report: SoakReport = {
    sources: sources.length,
    answers: 0,
    failures: {},
    recovered: 0,
    sent,
    landed: [],
    probed,
  }
  const rounds = (hours * 60) / step_minutes
  try {
    for (let round = 0; round < rounds; round++) {
      now = from + round * step_minutes * 60_000
      options.beforeRound?.(simulator, round)
      const outcomes = (await Promise.all(sources.map((source) => collectSource(source, context)))).flat()
      report.answers += outcomes.length
      for (const { error } of outcomes) if (error) report.failures[error.code] = (report.failures[error.code] ?? 0) + 1
      current = probed
      const probes = await runCanary(sources, context)
      report.recovered += probes.filter(({ check }) => check?.ok).length
      current = sent
      if (now % (6 * HOUR_MS) === 0) {
        await rollUp(warehouse)
        await upkeep(warehouse, settings, now)
      }
      options.onProgress?.(round + 1, rounds)
    }
    const rows = await warehouse.query<Omit<SentReading, 'closed'> & { status: string }>(
      `SELECT source, kind, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
       FROM readings WHERE status = 'closed' OR coalesce(wait_minutes, wait_minutes_low, wait_minutes_high) IS NOT NULL`,
    )
    report.landed = rows.map((row) => textOf({ ...row, closed: row.status === 'closed' }))
    return report
  } finally {
    await landing.idle()
    await warehouse.close()
    await simulator.close()
  }
}

const textOf = (row: SentReading) =>
  [
    row.source,
    row.kind,
    row.iata,
    row.terminal,
    row.checkpoint,
    row.lane,
    isoUtc(Date.parse(row.observed_at)),
    row.closed ? 'closed' : [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].join(' '),
  ].join(' | ')

/** Replaces the browser, because thousands of pages would take an hour: does what Atlanta's script does. */
function withPages(transport: Transport): Transport {
  const fetchPage = (source: Source, url: string) =>
    transport.fetch({ url, method: 'GET', headers: {}, body: null, iata: null }, source, null)
  return {
    ...transport,
    openPage: async (request, source, recipe) => {
      const page = await fetchPage(source, request.url)
      const $ = load(new TextDecoder().decode(page.body))
      const script = $('script[src]').attr('src')
      if (script === undefined)
        throw new FetchError('FETCH_FAILED', `${request.url}: the page never showed its numbers`)
      const waits = readWaits(await fetchPage(source, new URL(script.replace(/\.js$/, '.json'), request.url).href))
      if (waits === null) throw new FetchError('FETCH_FAILED', `${request.url}: the page never showed its numbers`)
      for (const row of $('[data-queue]').toArray())
        $(row)
          .find('.declasser3')
          .append(`<button><span>${waits[$(row).attr('data-queue') ?? '']}</span> MINUTES</button>`)
      if ($(recipe.wait_for).length === 0) throw new FetchError('FETCH_FAILED', `${request.url}: no numbers`)
      return { ...page, body: Buffer.from($.html()), content_type: 'text/html; charset=utf-8' }
    },
  }
}

function readWaits({ body }: { body: Uint8Array }): Record<string, string> | null {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Record<string, string>
  } catch {
    return null
  }
}
