import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTransport } from '../../../bin/runtime/transport.ts'
import { ParseError } from '../../../config/errors.ts'
import { allSources, sourceById } from '../../../config/sources.ts'
import { isoUtc } from '../../../config/vocabulary.ts'
import { replay } from '../../../pipeline/collecting/replay.ts'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../../pipeline/simulator/server.ts'
import { simulatedSources } from '../../../pipeline/simulator/simulated-sources.ts'
import { listCaptures, readCapture } from '../../../warehouse/storage/raw-captures.ts'
import { type TableName, tables } from '../../../warehouse/tables/index.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fixture } from '../collectors/context.ts'
import { text } from '../local-site.ts'
import { hasBrowser } from '../real-browser.ts'
import { openSiteOn, openTestPipeline, simulatedSettings, testTransport } from '../test-pipeline.ts'

const NOW = Date.parse('2026-11-21T10:03:00Z')
/** Morning in America, afternoon in Europe, evening in Asia: no airport is closed for the night. */
const morning = () => Date.parse('2026-11-20T13:53:00Z')
const SEA = '/www.portseattle.org/api/cwt/wait-times'

/** Fails unless every stored row of a table passes the table's schema. */
async function expectRowsToFit(
  pipeline: Awaited<ReturnType<typeof openTestPipeline>>,
  name: TableName,
): Promise<number> {
  const rows = await pipeline.warehouse.query(`SELECT * EXCLUDE (date) FROM ${name}`)
  for (const row of rows) expect(tables[name].row.safeParse(row).error, JSON.stringify(row)).toBeUndefined()
  return rows.length
}

const QUEUE_KINDS: string[] = ['security', 'immigration', 'checkin']

describe('collecting from the simulated world through the real transport', async () => {
  const browser = await hasBrowser()
  // Everyday runs collect every sixteenth source over the simulated sites.
  const wanted = simulatedSources(allSources())
    .filter(({ id, active }) => active && (browser || id !== 'atl-html'))
    .filter(
      ({ id, kind }, index) => EXHAUSTIVE || index % 16 === 0 || !QUEUE_KINDS.includes(kind) || id === 'catsa-html',
    )
  let simulator: RunningSimulatedWorld
  beforeAll(async () => {
    simulator = await startSimulatedWorld({ seed: 7, now: morning })
  })
  afterAll(() => simulator.close())

  it('lands rows of every active source that pass the schema of their table', async () => {
    const folder = await temporaryFolder()
    const transport = openTransport(simulatedSettings(folder, simulator.url), morning)
    const pipeline = await openTestPipeline(folder, transport, morning)
    const queue = [...wanted]
    const next = async () => {
      for (let source = queue.shift(); source; source = queue.shift())
        for (const { error } of await pipeline.collect(source.id)) expect(error, source.id).toBeNull()
    }
    await Promise.all([next(), next(), next(), next()])
    for (const name of ['readings', 'metars', 'tafs', 'places', 'runs'] as const)
      expect(await expectRowsToFit(pipeline, name), name).toBeGreaterThan(0)
    await expectRowsToFit(pipeline, 'delays')
    await expectRowsToFit(pipeline, 'notices')
    const seen = await pipeline.warehouse.query<{ source: string }>('SELECT DISTINCT source FROM readings')
    const queues = wanted.filter(({ kind }) => QUEUE_KINDS.includes(kind)).map(({ id }) => id)
    expect(seen.map(({ source }) => source).sort()).toEqual(queues.sort())
    const failed = await pipeline.warehouse.query("SELECT source, error_message FROM runs WHERE outcome = 'failed'")
    expect(failed).toEqual([])
    // All requests of one run have the same `started_at`.
    const [run] = await pipeline.warehouse.query(
      "SELECT count(*)::INTEGER AS requests, count(DISTINCT started_at)::INTEGER AS runs FROM runs WHERE source = 'catsa-html'",
    )
    expect(run).toEqual({ requests: sourceById('catsa-html').airports.length, runs: 1 })
    await pipeline.close()
    await transport.close()
  }, 120_000)
})

describe('one run of a source', () => {
  /** A pipeline with a local site that answers as Seattle, and the requests it has seen. */
  async function seattle(answer = text(fixture('sea.json'), 'application/json')) {
    const clock = { now: NOW }
    const { site, pipeline } = await openSiteOn(clock)
    site.pages.set(SEA, answer)
    return {
      site,
      pipeline,
      later: (ms: number) => (clock.now += ms),
      requestsSeen: () => site.seen.filter((request) => request.path === SEA),
    }
  }

  it('lands the same payload once, however often it comes', async () => {
    const { pipeline, later } = await seattle()
    const rows = () => pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')
    expect((await pipeline.collect('sea-cwt'))[0]).toMatchObject({ new_rows: 5, parsed_rows: 5, error: null })
    const first = await rows()
    later(60_000)
    expect((await pipeline.collect('sea-cwt'))[0]).toMatchObject({ new_rows: 0, parsed_rows: 5 })
    expect(await rows()).toEqual(first)
    expect((await pipeline.runs('sea-cwt')).map(({ outcome }) => outcome)).toEqual(['landed', 'unchanged'])
  })

  it('stores the bytes and their hash before parsing them, also when they cannot be parsed', async () => {
    const page = '<html><body>Something went wrong</body></html>'
    const { pipeline } = await seattle(text(page))
    const [outcome] = await pipeline.collect('sea-cwt')
    const [path = ''] = await listCaptures(pipeline.warehouse.data_dir, { source: 'sea-cwt' })
    const capture = await readCapture(path)
    expect(new TextDecoder().decode(capture.body)).toBe(page)
    expect(outcome?.error).toBeInstanceOf(ParseError)
    expect(outcome?.error).toMatchObject({ captureId: capture.capture_id })
    expect(await pipeline.runs('sea-cwt')).toMatchObject([
      {
        outcome: 'failed',
        error_code: 'PARSE_FAILED',
        capture_id: capture.capture_id,
        sha256: createHash('sha256').update(page).digest('hex'),
        http_status: 200,
      },
    ])
  })

  it('parses the last body again after a 304, with the new fetch time; a replay keeps both readings', async () => {
    const { site, pipeline, later } = await seattle()
    const jax = '/www.flyjacksonville.com/content.aspx'
    site.pages.set(jax, (request, response) => {
      const same = request.headers['if-none-match'] === '"one"'
      response.writeHead(same ? 304 : 200, { ETag: '"one"', 'Content-Type': 'text/html' })
      response.end(same ? '' : fixture('jax.html'))
    })
    const [first] = await pipeline.collect('jax-html')
    later(300_000)
    const [second] = await pipeline.collect('jax-html')
    expect(first?.new_rows).toBeGreaterThan(0)
    expect(second).toMatchObject({ new_rows: first?.new_rows, error: null })
    const rows = () =>
      pipeline.warehouse.query<{ observed_at: string }>("SELECT * FROM readings WHERE source = 'jax-html' ORDER BY ALL")
    const landed = await rows()
    expect(new Set(landed.map(({ observed_at }) => observed_at))).toEqual(new Set([isoUtc(NOW), isoUtc(NOW + 300_000)]))
    expect(await listCaptures(pipeline.warehouse.data_dir, { source: 'jax-html' })).toHaveLength(1)
    await replay(pipeline.warehouse, { source: 'jax-html' })
    expect(await rows()).toEqual(landed)
  })

  it('continues after a failed request: the other airports of the source land', async () => {
    const { site, pipeline } = await seattle()
    const [yyz, yul] = sourceById('catsa-html').airports
    const montreal = '/www.catsa-acsta.gc.ca/en/airport/montreal-trudeau-international-airport'
    site.pages.set(montreal, text(fixture('catsa-yyz.html')))
    const outcomes = await pipeline.collect('catsa-html')
    expect(outcomes.slice(0, 2).map(({ iata, error }) => [iata, error?.code ?? 'landed'])).toEqual([
      [yyz, 'FETCH_FAILED'],
      [yul, 'landed'],
    ])
  })
})

it('a replaced key costs one refusal; the key is learned from the site again and the run lands', async () => {
  const simulator = await startSimulatedWorld({ seed: 7 })
  const pipeline = await openTestPipeline(await temporaryFolder(), testTransport(simulator.url), Date.now)
  const keyOf = (id: string) => pipeline.context.memory.learned_keys.get(id)
  const before = new Map<string, [requests: number, key: ReturnType<typeof keyOf>]>()
  const ids = ['mobi-mco', 'zensors-bos', 'aci-phx', 'sita-mia', 'den-flyfruition', 'pit-azure']
  for (const id of ids.slice(0, repetitions(2, ids.length)))
    before.set(id, [(await pipeline.collect(id)).length, keyOf(id)])
  simulator.rotateKeys()
  for (const [id, [requests, key]] of before) {
    const outcomes = await pipeline.collect(id)
    expect([id, outcomes.map(({ error }) => error)]).toEqual([id, Array(requests).fill(null)])
    expect(outcomes.reduce((sum, { parsed_rows }) => sum + parsed_rows, 0)).toBeGreaterThan(0)
    expect(keyOf(id), id).not.toEqual(key)
    const refused = (await pipeline.runs(id)).filter(({ error_code }) => error_code !== null)
    expect([id, refused.map(({ error_code }) => error_code)]).toEqual([id, ['FETCH_REFUSED']])
  }
  expect(pipeline.context.transport.circuits.open()).toEqual([])
  await pipeline.close()
  await simulator.close()
})
