import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { fixture } from '../collectors/context.ts'
import { heldPage, json, NOW, openLiveSetup, SEA, seaFeed, swedavia } from '../live-setup.ts'
import { text } from '../local-site.ts'

const page = () => text(fixture('swedavia.json'), 'application/json')

describe('a scheduled run in progress', () => {
  it('is joined by a live request: one request to the site for both', async () => {
    const { site, runs, request, requestsTo } = await openLiveSetup(['sea-cwt'])
    const slow = heldPage(json(seaFeed(7, NOW)))
    site.pages.set(SEA, slow.page)
    const scheduled = runs.collect(sourceById('sea-cwt'))
    await slow.requested
    const live = request('SEA')
    slow.open()
    expect(await live).toMatchObject({ outcome: 'scraped', wait: { average_wait_minutes: 7 } })
    expect(await scheduled).toMatchObject([{ error: null, new_rows: 1 }])
    expect(requestsTo(SEA)).toBe(1)
  })

  it('answers for an airport as soon as it has landed, while others have not', async () => {
    const { site, runs, request, requestsTo } = await openLiveSetup(['swedavia-keyless'])
    const arn = heldPage(page())
    const got = heldPage(page())
    site.pages.set(swedavia('ARN'), arn.page).set(swedavia('GOT'), got.page)
    const scheduled = runs.collect(sourceById('swedavia-keyless'))
    await arn.requested
    const first = request('ARN')
    arn.open()
    expect(await first).toMatchObject({ outcome: 'scraped' })
    await got.requested
    expect(await request('ARN')).toMatchObject({ outcome: 'recent' })
    const second = request('GOT')
    got.open()
    expect(await second).toMatchObject({ outcome: 'scraped' })
    expect(await scheduled).toHaveLength(2)
    expect([requestsTo(swedavia('ARN')), requestsTo(swedavia('GOT'))]).toEqual([1, 1])
  })
})

describe('runs of one source', () => {
  it('run one after another: a scheduled run waits for a live run, and runs of different airports wait for each other', async () => {
    const { site, runs } = await openLiveSetup([])
    let open = 0
    let maxOpen = 0
    for (const iata of ['ARN', 'GOT'])
      site.pages.set(swedavia(iata), (request, response) => {
        open += 1
        maxOpen = Math.max(maxOpen, open)
        response.on('close', () => {
          open -= 1
        })
        setImmediate(() => page()(request, response))
      })
    const source = sourceById('swedavia-keyless')
    const [arn, got, all] = await Promise.all([
      runs.collectAirport(source, 'ARN'),
      runs.collectAirport(source, 'GOT'),
      runs.collect(source),
    ])
    expect([arn.length, got.length, all.length]).toEqual([1, 1, 2])
    expect(maxOpen).toBe(1)
  })

  it('a run that fails by our own fault rejects for all who joined it, and does not stop the next', async () => {
    const { site, runs, pipeline } = await openLiveSetup([])
    const source = sourceById('sea-cwt')
    const { land } = pipeline.context.landing
    pipeline.context.landing.land = () => Promise.reject(new Error('no room'))
    site.pages.set(SEA, json(seaFeed(7, NOW)))
    const tried = await Promise.allSettled([
      runs.collectAirport(source, 'SEA'),
      runs.collectAirport(source, 'SEA'),
      runs.collect(source),
    ])
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    pipeline.context.landing.land = land
    expect(await runs.collectAirport(source, 'SEA')).toMatchObject([{ outcome: { error: null } }])
  })

  it('an airport that the source does not have has no results', async () => {
    const { runs } = await openLiveSetup([])
    expect(await runs.join(sourceById('sea-cwt'), 'SEA')).toBeNull()
    expect(await runs.collectAirport(sourceById('swedavia-keyless'), 'JFK')).toEqual([])
  })
})
