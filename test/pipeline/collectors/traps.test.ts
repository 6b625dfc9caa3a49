import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allSources, sourceById } from '../../../config/sources.ts'
import { runChecks, seriesKey } from '../../../pipeline/checks/index.ts'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody } from '../../../pipeline/parsing/parse-body.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { checkContext } from '../checks/check-context.ts'
import { getRequest, type LocalSite, openLocalSite, text } from '../local-site.ts'
import { testTransport } from '../test-pipeline.ts'
import { contextFor, FETCHED, fixture, parseAs } from './context.ts'
import { readOneQueue } from './one-queue-payloads.ts'
import { requestsOf } from './requests-of.ts'

/**
 * Traps of the source catalogue that are more than what becomes of one queue (`values/one-queue.txt`): units that an operator verifies,
 * checks, requests, transport and terms.
 */

it.each([
  ['minutes', 330],
  ['seconds', 5.5],
])('trap 1: DOH: reads %s once its unit is verified', (unit, minutes) => {
  const context = contextFor('doh-xovis', 'DOH')
  const source = { ...context.source, options: { unit } }
  const { readings, notices } = dohXovis.parse(fixture('doh.json'), { ...context, source })
  expect(readings[0]).toMatchObject({ wait_minutes: minutes, wait_text: null })
  expect(notices).toEqual([])
})

it.each(['low', 'medium', 'high', 'severe'])(
  'trap 3: CLE publishes %s, and no minutes are derived from it',
  (level) => {
    const { readings } = parseAs('cle-levels', JSON.stringify([{ field_json: { a: level } }]), 'CLE')
    const none = { wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
    expect(readings).toMatchObject([{ ...none, wait_text: level, status: 'open' }])
    const { notices } = runChecks(readings, checkContext(sourceById('cle-levels'), FETCHED))
    expect(notices.map(({ code }) => code)).toEqual(['level_without_minutes'])
  },
)

it('trap 3: CLE: minutes are never read from any text', () => {
  const word = fc.oneof(
    fc.constantFrom('low', 'medium', 'high', 'severe', '15', '15 min', 'No Wait', '5-10'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.record({ a: word, b: word, c: word, apre: word, bpre: word, cpre: word }), (levels) => {
      for (const row of parseAs('cle-levels', JSON.stringify([{ field_json: levels }]), 'CLE').readings)
        expect([row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high]).toEqual([null, null, null])
    }),
  )
})

it.each<[string, unknown, number]>([
  ['ams-schiphol', 11_338, 11_338 / 60],
  ['ams-schiphol', 10_897, 10_897 / 60],
  ['bna-html', '144 minutes', 144],
  ['sita-mia', 178 * 60, 178],
  ['sea-cwt', 101, 101],
  ['panynj-graphql', 119, 119],
])('trap 7: implausible spikes: %s: %j lands as published and is flagged', (source, spike, minutes) => {
  const { readings, context } = readOneQueue(source, spike)
  expect(readings).toMatchObject([{ wait_minutes: minutes }])
  const { flags } = runChecks(readings, checkContext(context.source, FETCHED))
  expect(flags.get(0)).toEqual(['implausible_spike'])
})

it.each([
  ['den-flyfruition', '1-300'],
  ['cph-azure', '5-240 min'],
  ['zrh-security', '100-200'],
])('trap 7: implausible ranges: %s: %j lands as published and is flagged', (source, range) => {
  const { readings, context } = readOneQueue(source, range)
  expect(readings).toMatchObject([{ wait_minutes: null, wait_text: range }])
  const { flags } = runChecks(readings, checkContext(context.source, FETCHED))
  expect(flags.get(0)).toEqual(['implausible_spike'])
})

it.each<[string, unknown]>([
  ['phl-livereach', 9],
  ['mwaa-dca', '9 mins'],
  ['msp-html', '9 minutes'],
])('trap 8: %s: a value kept overnight is flagged', (source, wait) => {
  const { readings, context } = readOneQueue(source, wait)
  const earlier = Array.from({ length: 30 }, (_, half) => ({
    observed_at: new Date(Date.parse(FETCHED) - (half + 1) * 1_800_000).toISOString(),
    wait_minutes: 9,
    flagged: false,
  }))
  const recent = new Map(readings.map((row) => [seriesKey(row), earlier]))
  const { flags } = runChecks(readings, checkContext(context.source, FETCHED, { recent }))
  expect(flags.get(0)).toEqual(['frozen'])
})

it('trap 15: PANYNJ: only one of its two services with the same rows is active', () => {
  const active = allSources().filter(({ id, active }) => active && /^panynj-(graphql|rest)$/.test(id))
  expect(active.map(({ id }) => id)).toEqual(['panynj-graphql'])
})

describe('trap 16: content types and transport', () => {
  let site: LocalSite
  beforeAll(async () => {
    site = await openLocalSite()
  })
  afterAll(() => site.close())

  it('SLC: JSON served as HTML is read', () => {
    const context = { ...contextFor('slc-official', 'SLC'), content_type: 'text/html; charset=UTF-8' }
    const parsed = parseBody(collectorById('slc-official'), Buffer.from(fixture('slc.json')), context)
    expect(parsed.readings).toContainEqual(expect.objectContaining({ wait_minutes: 9 }))
  })

  it('DTW is allowed over 31 s; YYC is requested at port 8091', () => {
    expect(requestsOf('dtw-skyfii')[0]?.timeout_ms).toBeGreaterThan(31_000)
    expect(new URL(requestsOf('yyc-rms')[0]?.url ?? '').port).toBe('8091')
  })

  it('SLC: where TLS fails, nothing is read and nothing is requested without TLS', async () => {
    const fetcher = createHttpClient({ version: '1', contact: 'x@example.org', retries: 0 })
    const request = getRequest(`${site.url.replace('http:', 'https:')}/ajaxtsa`)
    await expect(fetcher.fetch(request, sourceById('slc-official'), null)).rejects.toMatchObject({ name: 'FetchError' })
    expect(site.seen).toEqual([])
  })

  it.each([
    ['bwi-json', 504, 'FETCH_FAILED'],
    ['sea-cwt', 503, 'FETCH_FAILED'],
    ['sita-mia', 403, 'FETCH_REFUSED'],
    ['mobi-mco', 401, 'FETCH_REFUSED'],
    ['lax-html', 404, 'FETCH_FAILED'],
  ])('%s: status %d is an error with a code', async (source, status, code) => {
    const [request] = requestsOf(source, { api_key: 'made-up', api_version: '1' })
    if (request === undefined) throw new Error('there is no request')
    const { host, pathname } = new URL(request.url)
    site.pages.set(`/${host}${pathname}`, text('', 'text/html', status))
    const doors = testTransport(site.url, { retries: 0 })
    await expect(doors.fetch(request, sourceById(source), null)).rejects.toMatchObject({ code, status })
  })

  it.each(['sita-mia', 'mobi-mco'])(
    '%s: a rotating key is learned at run time, not kept in the catalogue',
    (source) => {
      expect(collectorById(sourceById(source).collector).learn).toBeDefined()
    },
  )
})

describe('trap 17: blocking and terms', () => {
  it.each([
    ['syd', /terms.*forbid automated retrieval/],
    ['bkk-sawasdee', /no public address/],
    ['swedavia-keyed', /HOLDSHORT_SWEDAVIA_KEY/],
    ['kac-process-time', /HOLDSHORT_DATA_GO_KR_KEY/],
    ['icn-datagokr', /key of data\.go\.kr/],
    ['lax-html', /refused|gone/],
    ['mytsa-dead', /ended/],
  ])('%s is off', (source, why) => {
    expect(sourceById(source)).toMatchObject({ active: false, why_off: expect.stringMatching(why) })
  })

  it.each([
    ['lhr-pihub', { Origin: 'https://www.heathrow.com' }],
    ['dus-sitecore', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['mwaa-iad', { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' }],
    ['ist', { Referer: 'https://www.istairport.com/' }],
    ['yyc-rms', { Origin: 'https://www.yyc.com', Referer: 'https://www.yyc.com/' }],
  ])('%s is requested with the headers of its own page', (source, headers) => {
    expect(requestsOf(source)[0]?.headers).toMatchObject(headers)
  })

  it('ATL is read by a browser and from its airline; DEN from its widget, not from its page', () => {
    expect(collectorById(sourceById('atl-html').collector).transport).toBe('browser')
    expect(sourceById('delta-newshub').airports).toContain('ATL')
    expect(new URL(sourceById('den-flyfruition').url).host).not.toMatch(/flydenver/)
  })

  it('BER: no request disguises its sender', () => {
    for (const source of allSources().filter(({ active }) => active))
      for (const request of requestsOf(source.id))
        expect(Object.keys(request.headers).join().toLowerCase(), source.id).not.toMatch(/user-agent|forwarded/)
  })
})
