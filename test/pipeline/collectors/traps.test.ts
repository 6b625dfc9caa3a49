import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allSources, sourceById } from '../../../config/sources.ts'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody } from '../../../pipeline/parsing/parse-body.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { getRequest, openLocalSite } from '../local-site.ts'
import { contextFor, fixture, parseAs } from './context.ts'
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

it('trap 15: PANYNJ: only one of its two services with the same rows is active', () => {
  const active = allSources().filter(({ id, active }) => active && /^panynj-(graphql|rest)$/.test(id))
  expect(active.map(({ id }) => id)).toEqual(['panynj-graphql'])
})

describe('trap 16: content types and transport', () => {
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
    const site = await openLocalSite()
    onTestFinished(site.close)
    const fetcher = createHttpClient({ version: '1', contact: 'x@example.org', retries: 0 })
    const request = getRequest(`${site.url.replace('http:', 'https:')}/ajaxtsa`)
    await expect(fetcher.fetch(request, sourceById('slc-official'), null)).rejects.toMatchObject({ name: 'FetchError' })
    expect(site.seen).toEqual([])
  })
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
