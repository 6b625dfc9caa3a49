import { describe, expect, it, onTestFinished } from 'vitest'
import { type Source, sourceById } from '../../../config/sources.ts'
import { jobDefinitions } from '../../../jobs/schedule/definition.ts'
import { createLocalRunner } from '../../../jobs/schedule/local-runner.ts'
import { runCanary } from '../../../pipeline/collecting/canary.ts'
import { collectSource } from '../../../pipeline/collecting/collect-source.ts'
import { restoreCircuits } from '../../../pipeline/collecting/restore-circuits.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fixture } from '../collectors/context.ts'
import { openLocalSite, text } from '../local-site.ts'
import { openTestPipeline, testTransport } from '../test-pipeline.ts'

const NOW = Date.parse('2026-11-21T10:03:00Z')
const MINUTE = 60_000
const SKIPPED_RUNS = repetitions(4, 20)
const SEA = '/www.portseattle.org/api/cwt/wait-times'
const JAX = '/www.flyjacksonville.com/content.aspx'
const seattle = sourceById('sea-cwt')
const jacksonville = sourceById('jax-html')
const good = text(fixture('sea.json'), 'application/json')
const down = text('', 'text/plain', 503)

/** Seattle and Jacksonville on local pages, with a clock that the test moves; `restart` is another process on the same folder. */
async function twoSites() {
  const clock = { now: NOW }
  const site = await openLocalSite()
  site.pages.set(SEA, good)
  site.pages.set(JAX, text(fixture('jax.html')))
  const folder = await temporaryFolder()
  const start = async () => {
    const transport = testTransport(site.url, { now: () => clock.now, retries: 2, sleep: async () => undefined })
    const pipeline = await openTestPipeline(folder, transport, () => clock.now)
    onTestFinished(pipeline.close)
    const collect = async (source: Source = seattle) => {
      const codes = (await collectSource(source, pipeline.context)).map(({ error }) => error?.code ?? 'landed')
      clock.now += 3 * MINUTE
      return codes[0]
    }
    return { ...pipeline, collect, canary: () => runCanary([seattle, jacksonville], pipeline.context) }
  }
  onTestFinished(site.close)
  const pipeline = await start()
  const requestCount = (path = SEA) => site.seen.filter((request) => request.path.startsWith(path)).length
  return { ...pipeline, clock, site, requestCount, restart: start }
}

/** Runs Seattle until its circuit is open; the clock is at the beginning of the sixth run. */
async function opened() {
  const sites = await twoSites()
  sites.site.pages.set(SEA, down)
  for (let run = 0; run < 5; run += 1) expect(await sites.collect()).toBe('FETCH_FAILED')
  return sites
}

describe('an open circuit', () => {
  it('is opened by five failed runs; scheduled runs then send no request, and each is recorded with CIRCUIT_OPEN', async () => {
    const { collect, requestCount, context, runs } = await opened()
    const before = requestCount()
    expect(before).toBe(15)
    expect(context.transport.circuits.open().map(({ id }) => id)).toEqual(['sea-cwt'])
    for (let run = 0; run < SKIPPED_RUNS; run += 1) expect(await collect()).toBe('CIRCUIT_OPEN')
    expect(requestCount()).toBe(before)
    expect((await runs('sea-cwt')).filter(({ error_code }) => error_code === 'CIRCUIT_OPEN')).toHaveLength(SKIPPED_RUNS)
    expect(await collect(jacksonville)).toBe('landed')
  })

  it('is probed with one request when the probe is due, and stays open while the answer cannot be parsed', async () => {
    const { canary, requestCount, clock, site, context } = await opened()
    const before = requestCount()
    clock.now -= 3 * MINUTE
    expect(await canary()).toEqual([])
    clock.now += 5 * MINUTE
    expect(await canary()).toMatchObject([
      { source: 'sea-cwt', check: { ok: false, code: 'FETCH_FAILED' }, outcomes: [] },
    ])
    expect(requestCount()).toBe(before + 1)
    expect(await canary()).toEqual([])
    clock.now += 5 * MINUTE
    site.pages.set(SEA, text('<html>Sorry</html>'))
    expect(await canary()).toMatchObject([{ check: { ok: false, code: 'PARSE_FAILED' } }])
    expect(requestCount()).toBe(before + 2)
    expect(context.transport.circuits.open()).toMatchObject([{ probes: 2 }])
  })

  it('is closed by a probe whose answer can be parsed: the source is collected at once, and its next run lands', async () => {
    const { canary, collect, clock, site, runs, context } = await opened()
    site.pages.set(SEA, good)
    clock.now += 5 * MINUTE
    expect(await canary()).toMatchObject([
      { source: 'sea-cwt', check: { ok: true }, outcomes: [{ new_rows: 5, error: null }] },
    ])
    expect(context.transport.circuits.open()).toEqual([])
    clock.now += MINUTE
    expect(await collect()).toBe('landed')
    expect((await runs('sea-cwt')).slice(-2).map(({ outcome }) => outcome)).toEqual(['landed', 'unchanged'])
  })

  it('is restored after a restart, is probed at once, and is closed where another process has closed it', async () => {
    const first = await opened()
    await first.collect()
    await first.close()
    const second = await first.restart()
    await restoreCircuits(second.warehouse, second.context.transport.circuits, first.clock.now)
    expect(second.context.transport.circuits.open()).toMatchObject([{ id: 'sea-cwt', probe_due_ms: first.clock.now }])
    const before = first.requestCount()
    expect(await second.collect()).toBe('CIRCUIT_OPEN')
    expect(first.requestCount()).toBe(before)

    const third = await first.restart()
    await restoreCircuits(third.warehouse, third.context.transport.circuits, first.clock.now)
    first.site.pages.set(SEA, good)
    expect(await second.canary()).toMatchObject([{ check: { ok: true } }])
    first.clock.now += 3 * MINUTE
    expect(await third.collect()).toBe('landed')
    expect(third.context.transport.circuits.open()).toEqual([])
  })

  it('needs failures in a row again after a restart, when the last run before it sent a request', async () => {
    const first = await opened()
    await first.close()
    const second = await first.restart()
    await restoreCircuits(second.warehouse, second.context.transport.circuits, first.clock.now)
    expect(second.context.transport.circuits.open()).toEqual([])
    expect(await second.collect()).toBe('FETCH_FAILED')
  })
})

describe('an exception of our own', () => {
  it('in one probe does not stop the others, and the source is probed again later', async () => {
    const sites = await twoSites()
    const { context, clock } = sites
    const broken = { ...seattle, collector: 'no-such-collector' }
    for (const { id } of [broken, jacksonville]) context.transport.circuits.trip(id, clock.now)
    const land = context.landing.land
    context.landing.land = (batch) =>
      batch.run.source === 'jax-html' ? Promise.reject(new Error('disk on fire')) : land(batch)
    const probes = await runCanary([broken, jacksonville], context)
    expect(
      probes.map(({ source, check, error }) => [source, check?.ok, (error as Error | null)?.message]).sort(),
    ).toEqual([
      ['jax-html', true, 'disk on fire'],
      ['sea-cwt', false, undefined],
    ])
    expect(context.transport.circuits.open()).toMatchObject([{ id: 'sea-cwt', probes: 1 }])
    context.landing.land = land
    clock.now += 5 * MINUTE
    expect(await runCanary([seattle, jacksonville], context)).toMatchObject([
      { source: 'sea-cwt', check: { ok: true } },
    ])
    expect(await sites.collect(jacksonville)).toBe('landed')
  })

  it('in one run stops neither the other jobs nor the next run of the source', async () => {
    const sites = await twoSites()
    const { context, canary } = sites
    const failed: string[] = []
    let faulty = true
    const runner = createLocalRunner(
      jobDefinitions([seattle, jacksonville], { publish_seconds: 60 }),
      async (job) => {
        if (job.kind === 'canary') await canary()
        else if (job.source === 'sea-cwt' && faulty) throw new Error('a fault of ours')
        else if (job.source) await collectSource(sourceById(job.source), context)
      },
      { concurrency: 4, onFailure: ({ name }) => failed.push(name) },
    )
    for (const name of ['collect:sea-cwt', 'collect:jax-html', 'canary']) await runner.runNow(name)
    faulty = false
    await runner.runNow('collect:sea-cwt')
    expect(failed).toEqual(['collect:sea-cwt'])
    for (const id of ['sea-cwt', 'jax-html'])
      expect((await sites.runs(id)).map(({ outcome }) => outcome)).toEqual(['landed'])
    await runner.stop()
  })
})
