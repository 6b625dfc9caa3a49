import { expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { keysInFrame, zensors } from '../../../pipeline/collectors/zensors.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'
import { requestsOf } from './feed-tests.ts'

const LAS = sharedFile('samples-constructed', 'zensors-las-excerpt', 'LAS-2026-05-18.init-excerpt.json')
const answer = (paths: unknown) => JSON.stringify([{ result: { data: { paths } } }])

it('sends one request per journey, with the slug and token of the frame', () => {
  const requests = requestsOf('zensors-las', { slug: 'made-up', token: 'made-up-token' })
  expect(requests.map(({ iata }) => iata)).toEqual(['LAS', 'LAS', 'LAS', 'LAS'])
  expect(requestsOf('zensors-bos')).toHaveLength(7)
  const input = JSON.parse(new URL(requests[1]?.url ?? '').searchParams.get('input') ?? '')
  expect(input).toEqual({ 0: { journey: 'tN8G8AV9D', slug: 'made-up', domainSlug: 'LAS', token: 'made-up-token' } })
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

it('learns slug and token from the frame of the page', () => {
  const frame = '<iframe src="https://embed.zensors.live/LAS/made-up/waitTimeExplorer?token=made-up-token"></iframe>'
  expect(keysInFrame(frame)).toEqual({ slug: 'made-up', token: 'made-up-token' })
  expect(
    keysInFrame('<iframe src="https://embed.zensors.live/LAS/made-up/journeyPlanner?token=other"></iframe>'),
  ).toBeNull()
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
