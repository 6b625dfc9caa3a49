import { expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'
import { readingLine, requestsOf } from './feed-tests.ts'

const payload = (places: unknown) => JSON.stringify({ data: places })

it('requests each airport', () => {
  expect(requestsOf('locuslabs')[0]).toMatchObject({
    url: 'https://marketplace.locuslabs.com/venueId/dfw/dynamic-poi',
    iata: 'DFW',
  })
})

it('reads checkpoints among shops, and no filler as a wait', () => {
  const { readings, notices } = parseAs('locuslabs', fixture('locuslabs.json'), 'DFW')
  expect(readings.map(readingLine)).toEqual([
    ['', 'A12 Checkpoint', 'standard', 6, null, null, 'open'],
    ['', 'A12 Checkpoint', 'precheck', null, null, null, 'open'],
    ['', 'B9 Checkpoint', 'priority', null, null, null, 'closed'],
  ])
  expect(notices.map(({ code, value }) => [code, value])).toEqual([['wait_is_default', '10']])
  expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:01:00Z', observed_at_basis: 'source' })
})

it('reports bad places and reads the others', () => {
  const place = { category: 'security.checkpoint', name: 'A', queue: { queueSubtype: 'general' } }
  const { readings, notices } = parseAs(
    'locuslabs',
    payload({
      1: place,
      2: { ...place, dynamicData: { queue: { queueTime: 'soon' } } },
      3: { ...place, queue: {}, dynamicData: { queue: { queueTime: 1 } } },
      4: null,
    }),
    'DFW',
  )
  expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([[null, 'unknown']])
  expect(notices.map(({ code }) => code)).toEqual(['row_unreadable', 'value_not_a_number', 'lane_unknown'])
})
