import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { isoUtc } from '../../../config/vocabulary.ts'
import { LiveAnswer } from '../../../jobs/calls/live.ts'
import { latestReadings } from '../../../warehouse/publishing/waits/queue-wait.ts'
import { repetitions } from '../../exhaustive.ts'
import { fixture } from '../collectors/context.ts'
import { heldPage, json, minutesAgo, NOW, openLiveSetup, SEA, seaFeed, swedavia } from '../live-setup.ts'
import { text } from '../local-site.ts'

const PEARSON = '/www.torontopearson.com/api/waittimeapidata/getcheckpoints'
const CATSA_YYZ = '/www.catsa-acsta.gc.ca/en/airport/toronto-pearson-international-airport'
const DELTA = '/news.delta.com/airport-wait-times'

describe('a live request', () => {
  it('requests the source once for many simultaneous clients, and answers after the reading has landed', async () => {
    const { site, request, requestsTo, pipeline } = await openLiveSetup(['sea-cwt'])
    site.pages.set(SEA, json(seaFeed(7, NOW - 60_000)))
    const answers = await Promise.all(
      Array.from({ length: repetitions(8, 50) }, async () => {
        const answer = await request('SEA')
        return { answer, landed: (await latestReadings(pipeline.warehouse, NOW)).length }
      }),
    )
    expect(requestsTo(SEA)).toBe(1)
    for (const { answer, landed } of answers) {
      expect(landed).toBe(1)
      expect(LiveAnswer.parse(answer)).toMatchObject({
        airport: 'SEA',
        kind: 'security',
        outcome: 'scraped',
        source: 'sea-cwt',
        last_known: null,
        asked_at: isoUtc(NOW),
        wait: {
          average_wait_minutes: 7,
          basis: 'measured',
          observed_at: minutesAgo(1),
          age_seconds: 60,
          source: 'sea-cwt',
          freshness: 'live',
          terminals: [{ checkpoints: [{ checkpoint: '2', lane: 'standard', wait_minutes: 7, open: true }] }],
        },
        attempts: [{ source: 'sea-cwt', code: null }],
      })
    }
    expect(await pipeline.runs('sea-cwt')).toMatchObject([{ outcome: 'landed', new_rows: 1 }])
  })

  it('does not request a source again below the minimum age, also after a restart', async () => {
    const first = await openLiveSetup(['sea-cwt'])
    const { site, request, requestsTo, later } = first
    site.pages.set(SEA, json(seaFeed(7, NOW - 60_000)))
    await request('SEA')
    later(59)
    const restarted = await openLiveSetup(['sea-cwt'], {}, first)
    for (const again of [await request('SEA'), await restarted.request('SEA')])
      expect(again).toMatchObject({
        outcome: 'recent',
        source: 'sea-cwt',
        wait: { average_wait_minutes: 7, age_seconds: 119 },
      })
    expect(requestsTo(SEA)).toBe(1)
    later(1)
    expect((await request('SEA')).outcome).toBe('scraped')
    expect(requestsTo(SEA)).toBe(2)
  })

  it('keeps to the pace of the source, whatever the operator sets', async () => {
    const { site, request, requestsTo, later } = await openLiveSetup(['sea-cwt'], { min_age_seconds: 0 })
    site.pages.set(SEA, json(seaFeed(7, NOW)))
    await request('SEA')
    const { pace_seconds } = sourceById('sea-cwt')
    later(pace_seconds - 0.1)
    expect((await request('SEA')).outcome).toBe('recent')
    later(0.1)
    expect((await request('SEA')).outcome).toBe('scraped')
    expect(requestsTo(SEA)).toBe(2)
  })

  it('returns the last known wait of an unreachable source, and never shows an expired one as current', async () => {
    const { site, request, later } = await openLiveSetup(['sea-cwt'])
    site.pages.set(SEA, json(seaFeed(14, NOW - 60_000)))
    await request('SEA')
    site.pages.delete(SEA)
    later(13 * 60)
    const away = await request('SEA')
    expect(LiveAnswer.parse(away)).toMatchObject({
      outcome: 'unreachable',
      source: null,
      wait: null,
      attempts: [{ source: 'sea-cwt', code: 'FETCH_FAILED', message: expect.stringContaining('404') }],
      last_known: { average_wait_minutes: 14, age_seconds: 840, freshness: 'recent', source: 'sea-cwt' },
    })
    later(7 * 3_600)
    expect(await request('SEA')).toMatchObject({
      outcome: 'unreachable',
      wait: null,
      last_known: { average_wait_minutes: 14, age_seconds: 840 + 7 * 3_600, freshness: 'expired' },
    })
    later(31 * 86_400)
    expect(await request('SEA')).toMatchObject({ outcome: 'unreachable', last_known: null })
  })

  it('a failure holds for the pace of the source: its code is returned again without a request', async () => {
    const { request, requestsTo, later } = await openLiveSetup(['sea-cwt'])
    expect((await request('SEA')).attempts).toMatchObject([{ code: 'FETCH_FAILED' }])
    later(4)
    expect((await request('SEA')).attempts).toMatchObject([
      { code: 'FETCH_FAILED', message: expect.stringMatching(/requested 4 s ago/) },
    ])
    expect(requestsTo(SEA)).toBe(1)
    later(1)
    await request('SEA')
    expect(requestsTo(SEA)).toBe(2)
  })

  it('returns refusals at once, with their codes', async () => {
    const { site, request, requestsTo, later } = await openLiveSetup(['sea-cwt', 'swedavia-keyless'])
    site.pages.set(SEA, json({}, 403))
    expect((await request('SEA')).attempts).toMatchObject([{ code: 'FETCH_REFUSED' }])
    later(60)
    expect((await request('SEA')).attempts).toMatchObject([{ code: 'FETCH_REFUSED' }])
    expect(requestsTo(SEA)).toBe(1)
    site.pages.set('/www.swedavia.com/robots.txt', text('User-agent: *\nDisallow: /', 'text/plain'))
    expect((await request('ARN')).attempts).toMatchObject([{ code: 'ROBOTS_DISALLOWED' }])
    expect(requestsTo(swedavia('ARN'))).toBe(0)
  })

  it('never returns a flagged or old reading as current; a source that answers without a figure is reached', async () => {
    const { site, request, later } = await openLiveSetup(['sea-cwt'])
    site.pages.set(SEA, json(seaFeed(7, NOW + 3_600_000)))
    const flagged = await request('SEA')
    const noFigure = { average_wait_minutes: null, status: 'unknown', source: null }
    expect(flagged).toMatchObject({ outcome: 'scraped', source: 'sea-cwt', wait: noFigure, last_known: null })
    expect(flagged.attempts).toMatchObject([{ code: null, message: expect.stringMatching(/gave no figure/) }])
    later(60)
    site.pages.set(SEA, json(seaFeed(7, NOW, { IsOpen: false })))
    expect(await request('SEA')).toMatchObject({
      outcome: 'scraped',
      source: 'sea-cwt',
      wait: { average_wait_minutes: null, unavailable_reason: 'closed', status: 'closed', status_basis: 'measured' },
      last_known: null,
    })
    later(60)
    site.pages.set(SEA, json(seaFeed(7, NOW - 7 * 3_600_000)))
    expect(await request('SEA')).toMatchObject({
      outcome: 'scraped',
      wait: noFigure,
      last_known: { status: 'closed', age_seconds: 120 },
    })
  })

  it('asks a source for every queue that it has, as Istanbul publishes passport control beside security', async () => {
    const { request, site } = await openLiveSetup(['ist'])
    site.pages.set(
      '/www.istairport.com/umbraco/api/Checkpoint/GetWaitingTimes',
      json({ result: { gateWaitTime: 4, passQueueWaitTime: 17 } }),
    )
    expect(await request('IST', 'immigration')).toMatchObject({
      outcome: 'scraped',
      source: 'ist',
      wait: { average_wait_minutes: 17 },
    })
  })

  it('answers no_source where no source publishes the wait live', async () => {
    const off = { ...sourceById('sea-cwt'), active: false }
    const past = { ...sourceById('sea-cwt'), timeliness: 'history' as const }
    const { request, site } = await openLiveSetup([off, past, 'swedavia-keyless'])
    for (const answer of [await request('SEA'), await request('ARN', 'immigration')])
      expect(answer).toMatchObject({ outcome: 'no_source', wait: null, attempts: [], last_known: null })
    expect(site.seen).toEqual([])
  })
})

it('time does not wait for a source that is too slow; its readings land all the same', async () => {
  const { site, request, requestsTo, runs, pipeline } = await openLiveSetup(['sea-cwt'], { within_ms: 150 })
  const slow = heldPage(json(seaFeed(7, NOW)))
  site.pages.set(SEA, slow.page)
  expect(await request('SEA')).toMatchObject({
    outcome: 'unreachable',
    wait: null,
    attempts: [{ source: 'sea-cwt', code: 'LIVE_TIMEOUT' }],
  })
  await slow.requested
  const underWay = runs.join(sourceById('sea-cwt'), 'SEA')
  slow.open()
  expect(await underWay).toMatchObject([{ outcome: { error: null, new_rows: 1 } }])
  expect(await pipeline.runs('sea-cwt')).toMatchObject([{ outcome: 'landed' }])
  // On a busy machine the 150 ms can pass before the warehouse has been read.
  await expect
    .poll(() => request('SEA'), { timeout: 10_000 })
    .toMatchObject({ outcome: 'recent', wait: { average_wait_minutes: 7 } })
  expect(requestsTo(SEA)).toBe(1)
})

describe('two sources of an airport', () => {
  it('requests the airport’s own source first, and the other only when it fails', async () => {
    const { site, request, requestsTo, later } = await openLiveSetup(['catsa-html', 'yyz-pearson'])
    site.pages.set(CATSA_YYZ, text(fixture('catsa-yyz.html')))
    site.pages.set(PEARSON, text(fixture('yyz.json'), 'application/json'))
    expect(await request('YYZ')).toMatchObject({ outcome: 'scraped', source: 'yyz-pearson' })
    expect(requestsTo(CATSA_YYZ)).toBe(0)
    later(60)
    site.pages.delete(PEARSON)
    expect(await request('YYZ')).toMatchObject({
      outcome: 'scraped',
      source: 'catsa-html',
      wait: { source: 'catsa-html' },
      attempts: [
        { source: 'yyz-pearson', code: 'FETCH_FAILED' },
        { source: 'catsa-html', code: null },
      ],
    })
  })

  it('limits a source that hangs to its share of the time; the other still answers', async () => {
    const { site, request, runs } = await openLiveSetup(['catsa-html', 'yyz-pearson'], { within_ms: 2_400 })
    const hanging = heldPage(text(fixture('yyz.json')))
    site.pages.set(PEARSON, hanging.page)
    site.pages.set(CATSA_YYZ, text(fixture('catsa-yyz.html')))
    expect(await request('YYZ')).toMatchObject({
      outcome: 'scraped',
      source: 'catsa-html',
      attempts: [{ source: 'yyz-pearson', code: 'LIVE_TIMEOUT' }, { source: 'catsa-html' }],
    })
    const underWay = runs.join(sourceById('yyz-pearson'), 'YYZ')
    hanging.open()
    expect(await underWay).toMatchObject([{ outcome: { error: null } }])
  })

  it('names both when both fail, and returns the newest last known wait of both', async () => {
    const { site, request, later } = await openLiveSetup(['catsa-html', 'yyz-pearson'])
    site.pages.set(CATSA_YYZ, text(fixture('catsa-yyz.html')))
    await request('YYZ')
    later(600)
    site.pages.clear()
    expect(await request('YYZ')).toMatchObject({
      last_known: { source: 'catsa-html', age_seconds: 600 },
      attempts: [
        { source: 'yyz-pearson', code: 'FETCH_FAILED' },
        { source: 'catsa-html', code: 'FETCH_FAILED' },
      ],
    })
  })
})

describe('a source of several airports', () => {
  it('requests only the one airport where the source has a request for each', async () => {
    const { site, request, requestsTo } = await openLiveSetup(['swedavia-keyless'])
    for (const iata of ['ARN', 'GOT'])
      site.pages.set(swedavia(iata), text(fixture('swedavia.json'), 'application/json'))
    expect(await request('GOT')).toMatchObject({ outcome: 'scraped', airport: 'GOT' })
    expect([requestsTo(swedavia('ARN')), requestsTo(swedavia('GOT'))]).toEqual([0, 1])
    expect(await request('ARN')).toMatchObject({ outcome: 'scraped' })
    expect([requestsTo(swedavia('ARN')), requestsTo(swedavia('GOT'))]).toEqual([1, 1])
  })

  it('requests a page once where it covers all airports', async () => {
    const { site, request, requestsTo } = await openLiveSetup(['delta-newshub'])
    site.pages.set(DELTA, text(fixture('delta.html')))
    const [atl, msp, dtw] = await Promise.all([request('ATL'), request('MSP'), request('DTW')])
    expect([atl.wait?.average_wait_minutes, msp.wait?.average_wait_minutes]).toEqual([7, 7])
    expect(dtw).toMatchObject({ outcome: 'scraped', source: 'delta-newshub', attempts: [{ code: null }] })
    expect(dtw.wait).toMatchObject({ average_wait_minutes: null, status: 'unknown', terminals: [] })
    expect(requestsTo(DELTA)).toBe(1)
  })
})

describe('machines that share the work', () => {
  it('request a source one at a time: the one that waited uses what the other has just landed', async () => {
    const held = new Set<string>()
    const lock = async (source: string) => {
      if (held.has(source)) return null
      held.add(source)
      return async () => void held.delete(source)
    }
    const first = await openLiveSetup(['sea-cwt'], { lock })
    const second = await openLiveSetup(['sea-cwt'], { lock }, first)
    const slow = heldPage(json(seaFeed(7, NOW)))
    first.site.pages.set(SEA, slow.page)
    const scraping = first.request('SEA')
    await slow.requested
    const waiting = second.request('SEA')
    slow.open()
    expect(await scraping).toMatchObject({ outcome: 'scraped' })
    expect(await waiting).toMatchObject({ outcome: 'recent', wait: { average_wait_minutes: 7 } })
    expect(first.requestsTo(SEA)).toBe(1)
    expect(held.size).toBe(0)
  })

  it('a source that another machine has locked is LIVE_TIMEOUT', async () => {
    const { request, site } = await openLiveSetup(['sea-cwt'], { lock: async () => null, within_ms: 100 })
    expect((await request('SEA')).attempts).toMatchObject([{ code: 'LIVE_TIMEOUT' }])
    expect(site.seen).toEqual([])
  })
})

it('a fault of our own is returned by its title only: clients see no path of this machine', async () => {
  const failing = () => Promise.reject(new Error('ENOENT /home/operator/data'))
  const runs = { collect: failing, join: async () => null, collectAirport: failing }
  const { request } = await openLiveSetup(['sea-cwt'], { runs })
  const answer = await request('SEA')
  expect(answer.attempts).toMatchObject([{ code: 'INTERNAL', message: 'Internal error' }])
  expect(JSON.stringify(answer)).not.toContain('operator')
})
