import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { sourceById } from '../../config/sources.ts'
import { createLanding } from '../../pipeline/collecting/landing.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fixture } from './collectors/context.ts'
import { openLocalSite, text } from './local-site.ts'
import { endless, openRawSite, type RawAnswer, sending, sendingBody } from './raw-site.ts'
import { openPipelineOn } from './test-pipeline.ts'

const SEATTLE = JSON.parse(fixture('sea.json')) as object[]
const json = (body: unknown) => sendingBody(JSON.stringify(body), 'Content-Type: application/json')
const queues = (count: number) => Array.from({ length: count }, (_, index) => ({ ...SEATTLE[0], Name: `Q${index}` }))
const GZIP = 'Content-Encoding: gzip'

/** What a source sends, the code of its run, and words of its message. */
const ATTACKS: [string, RawAnswer, string, RegExp][] = [
  ['a bomb', sendingBody(gzipSync(Buffer.alloc(20_000_000)), GZIP), 'FETCH_TOO_LARGE', /over 5242880 bytes/],
  ['JSON that breaks off', sending('200 OK', [], fixture('sea.json').slice(0, -99)), 'PARSE_FAILED', /damaged JSON/],
  ['a drip', endless('HTTP/1.1 200 OK\r\n\r\n', '[', 20), 'FETCH_FAILED', /no answer within 300 ms/],
  ['too many queues', json(queues(5_000)), 'PARSE_FAILED', /5000 queues of SEA/],
  ['brackets', sendingBody('['.repeat(10_000) + ']'.repeat(10_000)), 'PARSE_FAILED', /nested too deeply/],
  ['a pause of years', sending('429 Too Many', ['Retry-After: 99999999']), 'FETCH_FAILED', /no request for 86400 s/],
]

test('what hostile sources send lands nothing, is named in their runs and health, and disturbs no other source', async () => {
  const site = await openRawSite()
  onTestFinished(() => site.close())
  const clock = { now: Date.parse('2026-11-21T10:03:00Z') }
  const options = { retries: 0, timeout_ms: 300, breaker_failures: 99, sleep: async () => undefined }
  const pipeline = await openPipelineOn(clock, site.url, options)
  const collect = async (id: string, answer: RawAnswer) => {
    site.answer = answer
    const [outcome] = await pipeline.collect(id)
    return outcome
  }
  expect((await collect('sea-cwt', json(SEATTLE)))?.error).toBeNull()
  const landed = await pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')
  for (const [, answer, code, message] of ATTACKS) {
    clock.now += 120_000
    expect((await collect('sea-cwt', answer))?.error).toMatchObject({ code, message: expect.stringMatching(message) })
  }
  expect(await pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')).toEqual(landed)
  expect((await pipeline.runs('sea-cwt')).map(({ outcome, error_code }) => [outcome, error_code])).toEqual([
    ['landed', null],
    ...ATTACKS.map(([, , code]) => ['failed', code]),
  ])
  expect((await collect('jax-html', sendingBody(fixture('jax.html'), 'Content-Type: text/html')))?.error).toBeNull()
  const health = (await pipeline.publishAt(clock.now + 1_000)).sourceHealth()
  const [seattle, jacksonville] = ['sea-cwt', 'jax-html'].map((id) => health.find(({ source }) => source === id))
  expect(seattle).toMatchObject({ state: 'failing', last_error_code: 'FETCH_FAILED' })
  expect(jacksonville?.last_error_code).toBeNull()
  // The pause is over after a day, however long the source asked for.
  clock.now += 24 * 3_600_000
  expect((await collect('sea-cwt', json(SEATTLE)))?.error).toBeNull()
})

test('a redirect to the page of another airport lands nothing, and one to another address of the same airport does', async () => {
  const site = await openLocalSite()
  onTestFinished(() => site.close())
  const clock = { now: Date.parse('2026-11-21T10:03:00Z') }
  const pipeline = await openPipelineOn(clock, site.url, { retries: 0, breaker_failures: 99 })
  const { url, options } = sourceById('qsensor')
  const pathOf = (address: string) => `/${new URL(address).host}${new URL(address).pathname}`
  const [atlanta, angeles] = ['ATL', 'LAX'].map((iata) => `${url}/${options[iata]}`) as [string, string]
  const redirects = (to: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(301, { Location: to }).end()
  site.pages.set(`${pathOf(angeles)}/`, redirects(angeles))
  site.pages.set(pathOf(angeles), text(fixture('qsensor.html')))
  site.pages.set(`${pathOf(atlanta)}/`, redirects(angeles))
  const outcomes = await pipeline.collect('qsensor')
  const of = (wanted: string) => outcomes.find(({ iata }) => iata === wanted)
  expect(of('LAX')).toMatchObject({ error: null, new_rows: 5 })
  expect(of('ATL')?.error).toMatchObject({ code: 'FETCH_FAILED', message: expect.stringMatching(/the address of LAX/) })
  expect(await pipeline.warehouse.query('SELECT DISTINCT iata FROM readings')).toEqual([{ iata: 'LAX' }])
})

test('a site cannot make every further answer one that was not modified, nor every further request one that it refuses', async () => {
  const site = await openLocalSite()
  onTestFinished(() => site.close())
  const clock = { now: Date.parse('2026-11-21T10:03:00Z') }
  const pipeline = await openPipelineOn(clock, site.url, { retries: 0, breaker_failures: 99 })
  const path = '/www.portseattle.org/api/cwt/wait-times'
  let etag = '"a"'
  /** How the site answers a request with a condition. */
  let status = 304
  site.pages.set(path, (request, response) => {
    const isConditional = request.headers['if-none-match'] !== undefined
    response.writeHead(isConditional ? status : 200, {
      ETag: etag,
      'Content-Type': `application/json${';'.repeat(2_000)}`,
    })
    response.end(isConditional ? '' : JSON.stringify(SEATTLE))
  })
  /** Collects after some minutes; the error code and whether the request had a condition. */
  const collect = async (minutes: number) => {
    clock.now += minutes * 60_000
    const [outcome] = await pipeline.collect('sea-cwt')
    const condition = site.seen.filter((request) => request.path === path).at(-1)?.headers['if-none-match']
    return [outcome?.error?.code ?? null, condition !== undefined]
  }
  expect(await collect(0)).toEqual([null, false])
  expect(await collect(2)).toEqual([null, true])
  expect(await collect(6 * 60), 'after six hours of "not modified"').toEqual([null, false])
  expect(await collect(2)).toEqual([null, true])
  status = 412
  expect(await collect(2)).toEqual(['FETCH_FAILED', true])
  expect(await collect(2)).toEqual([null, false])
  etag = `"${'a'.repeat(10_000)}"`
  expect(await collect(6 * 60)).toEqual([null, false])
  expect(await collect(2), 'with a tag of ten kilobytes').toEqual([null, false])
  for (const { content_type } of await pipeline.runs('sea-cwt'))
    expect(content_type?.length ?? 0).toBeLessThanOrEqual(500)
})

test('rows of one source that cannot be stored do not keep those of the others from landing', async () => {
  await using warehouse = await openWarehouse(await temporaryFolder())
  const landing = createLanding(warehouse)
  const fetched_at = '2026-11-21T10:03:00Z'
  const batchOf = (source: string) => ({
    table: 'readings' as const,
    rows: [{ source, capture_id: source, fetched_at, observed_at: source === 'bad' ? 'no such date' : fetched_at }],
    notices: [],
    run: { source, started_at: fetched_at, capture_id: source, fetched_at, parsed_rows: 1, outcome: null } as never,
  })
  const landed = await Promise.allSettled(['one', 'bad', 'two'].map((source) => landing.land(batchOf(source))))
  expect(landed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(
    await warehouse.query('SELECT source, new_rows FROM runs SEMI JOIN readings USING (source) ORDER BY source'),
  ).toEqual([
    { source: 'one', new_rows: 1 },
    { source: 'two', new_rows: 1 },
  ])
})
