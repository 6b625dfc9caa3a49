import lzString from 'lz-string'
import { expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { panynj } from '../../../pipeline/collectors/panynj.ts'
import { parseAs } from './context.ts'

const MIDNIGHT = '2026-11-21T05:03:00Z' // 00:03 in New York
const parse = (body: string, iata = 'EWR', fetched_at = MIDNIGHT) => parseAs('panynj-graphql', body, iata, fetched_at)

it('requests each airport at its own site, compressed as the site does it', () => {
  const source = sourceById('panynj-graphql')
  const requests = panynj.request({ source, airports: source.airports, now: 0, learned_keys: {}, icaoOf: () => null })
  expect(requests.map(({ url, iata, method }) => [url, iata, method])).toEqual([
    ['https://www.jfkairport.com/api/graphql', 'JFK', 'POST'],
    ['https://www.laguardiaairport.com/api/graphql', 'LGA', 'POST'],
    ['https://www.newarkairport.com/api/graphql', 'EWR', 'POST'],
  ])
  const query = JSON.parse(lzString.decompressFromEncodedURIComponent(requests[1]?.body ?? '') ?? '')
  expect(query.variables).toEqual({ airportCode: 'LGA' })
  expect(requests[1]?.headers['Content-Type']).toBe('text/plain')
})

it.each([
  ['GraphQL errors', '{"errors":[{"message":"FORBIDDEN"}],"data":null}'],
  ['an HTML page', '<!doctype html><title>Just a moment...</title>'],
  ['rows of another shape', '{"data":{"securityWaitTimes":{}}}'],
])('rejects %s', (_, body) => {
  expect(() => parse(body)).toThrow(ParseError)
})
