import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { keysInFrame, zensors } from '../../../pipeline/collectors/zensors.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const BOS = sharedFile('samples', 'zensors', 'BOS-2026-07-20.update.json')
const LAS = sharedFile('samples-constructed', 'zensors-las-excerpt', 'LAS-2026-05-18.init-excerpt.json')
const answer = (paths: unknown) => JSON.stringify([{ result: { data: { paths } } }])

describe('zensors', () => {
  it('sends one request per journey, with the slug and token of the frame', () => {
    const requests = requestsOf('zensors-las', { slug: 'made-up', token: 'made-up-token' })
    expect(requests.map(({ iata }) => iata)).toEqual(['LAS', 'LAS', 'LAS', 'LAS'])
    expect(requestsOf('zensors-bos')).toHaveLength(7)
    const input = JSON.parse(new URL(requests[1]?.url ?? '').searchParams.get('input') ?? '')
    expect(input).toEqual({ 0: { journey: 'tN8G8AV9D', slug: 'made-up', domainSlug: 'LAS', token: 'made-up-token' } })
  })

  it('reads fractions of minutes, and no wait of a closed lane', () => {
    const { readings, notices } = parseAs('zensors-las', fixture('zensors.json'), 'LAS')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['1', 'T1 - A/B Gates', 'standard', 6.5, null, null, 'open'],
      ['1', 'T1 - A/B Gates', 'precheck', null, null, null, 'closed'],
    ])
    expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' })
  })

  it('gives no row for a lane that is missing', () => {
    const only = { standard: { open: true, waitTime: { value: 4, timestamp: 1795255260000 } } }
    expect(parseAs('zensors-las', answer(only), 'LAS').readings.map((row) => row.lane)).toEqual(['standard'])
    const { readings } = parseAs('zensors-las', answer({ standard: { open: true } }), 'LAS')
    expect(readings.map((row) => [row.wait_minutes, row.observed_at_basis])).toEqual([[null, 'fetch']])
  })

  it('names the checkpoint of the request', () => {
    const context = contextFor('zensors-las', 'LAS')
    const [, , , last] = requestsOf('zensors-las')
    const read = (url: string) => zensors.parse(fixture('zensors.json'), { ...context, url }).readings[0]?.checkpoint
    expect(read(last?.url ?? '')).toBe('T3 - D/E Gates')
    expect(() => read('https://embed.zensors.live/?input=%7B%220%22%3A%7B%22journey%22%3A%22other%22%7D%7D')).toThrow(
      ParseError,
    )
  })

  it('reports bad lanes and reads the others', () => {
    const { readings, notices } = parseAs('zensors-las', answer({ pets: {}, standard: 4 }), 'LAS')
    expect(readings).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['lane_unknown', 'row_unreadable'])
  })

  testPayloadShapes('zensors-las', 'LAS', answer({}), ['[]', '[{"error":{"message":"NOT_FOUND"}}]'])

  it('learns slug and token from the frame of the page', () => {
    const frame = '<iframe src="https://embed.zensors.live/LAS/made-up/waitTimeExplorer?token=made-up-token"></iframe>'
    expect(keysInFrame(frame)).toEqual({ slug: 'made-up', token: 'made-up-token' })
    expect(
      keysInFrame('<iframe src="https://embed.zensors.live/LAS/made-up/journeyPlanner?token=other"></iframe>'),
    ).toBeNull()
  })

  it.skipIf(BOS === null)('reads an answer of BOS at night: a closed lane has no wait', () => {
    const { readings, notices } = parseAs('zensors-bos', BOS ?? '', 'BOS')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes, row.status])).toEqual([
      ['Checkpoint 1: A Gates', 'precheck', null, 'closed'],
      ['Checkpoint 1: A Gates', 'standard', null, 'closed'],
    ])
  })

  it.skipIf(LAS === null)('reads the values of LAS, and knows its journeys', () => {
    const { journeys, initialJourneyData } = JSON.parse(LAS ?? '{}')
    const { readings } = parseAs('zensors-las', answer(initialJourneyData.paths), 'LAS')
    expect(readings.map((row) => [row.lane, row.wait_minutes])).toEqual([
      ['standard', 1.5],
      ['precheck', 1],
    ])
    const known = String(contextFor('zensors-las', 'LAS').source.options.journeys)
    for (const [id, { name }] of Object.entries<{ name: string }>(journeys)) expect(known).toContain(`${id}=${name}`)
  })
})
