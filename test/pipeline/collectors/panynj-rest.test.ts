import { expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'
import { readingLine, requestsOf } from './feed-tests.ts'

it('requests each airport with the headers of its own site', () => {
  expect(requestsOf('panynj-customs').map(({ url, headers }) => [url.split('/').at(-1), headers.Origin])).toEqual([
    ['JFK', 'https://www.jfkairport.com'],
    ['LGA', 'https://www.laguardiaairport.com'],
    ['EWR', 'https://www.newarkairport.com'],
  ])
})

it('tells "No Wait" from a missing number, and yesterday from today', () => {
  const { readings, notices } = parseAs('panynj-rest', fixture('panynj-rest.json'), 'LGA')
  expect(notices).toEqual([])
  expect(readings.map((row) => [...readingLine(row), row.observed_at])).toEqual([
    ['B', 'Main ChekPoint', 'standard', 4, null, null, 'open', '2026-11-21T09:58:00Z'],
    ['B', 'Main ChekPoint', 'precheck', 0, null, null, 'open', '2026-11-21T09:58:00Z'],
    ['C', 'Main ChekPoint, gates 60-68', 'standard', null, null, null, 'closed', '2026-11-21T04:58:00Z'],
  ])
})
