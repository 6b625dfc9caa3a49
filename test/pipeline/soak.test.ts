import { load } from 'cheerio'
import { expect, test } from 'vitest'
import { FetchError } from '../../config/errors.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { runCanary } from '../../pipeline/collecting/canary.ts'
import { emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../pipeline/collecting/collect-source.ts'
import { createLanding } from '../../pipeline/collecting/landing.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { type SentReading, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { simulatedSources } from '../../pipeline/simulator/simulated-sources.ts'
import type { Transport } from '../../pipeline/transport/transport.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { simulatedSettings, testTransport } from './test-pipeline.ts'

/** Sources of the simulated world with live waits. */
const soakSources = (): Source[] =>
  simulatedSources(allSources()).filter(
    ({ active, timeliness, kind }) =>
      active && timeliness === 'live' && !['delays', 'metar', 'taf', 'alerts', 'zones', 'places'].includes(kind),
  )

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

/** Rounds of all sources are so many simulated minutes apart; `npm run soak` has one every half hour. */
const STEP_MINUTES = Number(process.env.SOAK_STEP ?? 240)
const HOURS = 48
const ROUNDS = (HOURS * 60) / STEP_MINUTES
const FROM = Date.parse('2026-11-20T00:00:00Z')

test('after two days of all sources with faults, the warehouse holds exactly the expected readings', async () => {
  const data_dir = await temporaryFolder()
  let now = FROM
  /** Readings with a wait or a closure, as texts: of undamaged answers, and of answers to the canary, whose probes land nothing. */
  const [sent, probed] = [new Set<string>(), new Set<string>()]
  let current = sent
  const simulator = await startSimulatedWorld({
    seed: 7,
    now: () => now,
    random_faults: { ...USUAL_RANDOM_FAULTS, slow_ms: 20 },
    onExpectedReadings: (readings) => {
      for (const reading of readings) current.add(textOf(reading))
    },
  })
  const warehouse = await openWarehouse(data_dir)
  const landing = createLanding(warehouse)
  const transport = withPages(testTransport(simulator.url, { now: () => now, sleep: async () => undefined }))
  const context = { warehouse, landing, transport, now: () => now, memory: emptyMemory() }
  const settings = simulatedSettings(data_dir, simulator.url)
  const sources = soakSources()
  /** Failed answers by error code. */
  const failures: Record<string, number> = {}
  let recovered = 0
  for (let round = 0; round < ROUNDS; round++) {
    now = FROM + round * STEP_MINUTES * 60_000
    if (round % 5 === 3) simulator.rotateKeys()
    // Seattle is down for a day: its circuit opens, and only the canary finds that it works again.
    if (round === Math.floor(ROUNDS / 6)) simulator.setFault({ hosts: ['www.portseattle.org'], status_503: 1_000 })
    if (round === Math.floor((2 * ROUNDS) / 3)) simulator.setFault({})
    const outcomes = (await Promise.all(sources.map((source) => collectSource(source, context)))).flat()
    for (const { error } of outcomes) if (error) failures[error.code] = (failures[error.code] ?? 0) + 1
    current = probed
    const probes = await runCanary(sources, context)
    recovered += probes.filter(({ check }) => check?.ok).length
    current = sent
    if (now % (6 * HOUR_MS) === 0) {
      await rollUp(warehouse)
      await upkeep(warehouse, settings, now)
    }
  }
  const rows = await warehouse.query<Omit<SentReading, 'closed'> & { status: string }>(
    `SELECT source, kind, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
     FROM readings WHERE status = 'closed' OR coalesce(wait_minutes, wait_minutes_low, wait_minutes_high) IS NOT NULL`,
  )
  await landing.idle()
  await warehouse.close()
  await simulator.close()

  const landed = rows.map((row) => textOf({ ...row, closed: row.status === 'closed' }))
  const there = new Set(landed)
  expect(landed).toHaveLength(there.size)
  expect([...sent].filter((reading) => !there.has(reading)).slice(0, 5)).toEqual([])
  expect(landed.filter((reading) => !sent.has(reading) && !probed.has(reading)).slice(0, 5)).toEqual([])
  expect(sent.size).toBeGreaterThan(4_000)
  expect(failures.CIRCUIT_OPEN).toBeGreaterThan(0)
  expect(recovered).toBe(1)
  expect(
    landed.filter((reading) => reading.startsWith('sea-cwt')).some((reading) => reading.includes('2026-11-21T1')),
  ).toBe(true)
  // The faults occurred, and every failure has a code of its own.
  expect(failures.PARSE_FAILED).toBeGreaterThan(0)
  expect(failures.INTERNAL).toBeUndefined()
}, 1_200_000)
