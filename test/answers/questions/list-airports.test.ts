import { expect, test } from 'vitest'
import { countryFilter } from '../../../answers/questions/shared-fields.ts'
import { shareHarness } from '../../api/harness.ts'

const { call } = shareHarness()

const codes = (answer: { json: () => { data: { iata: string }[] } }) => answer.json().data.map(({ iata }) => iata)

test('an entry has the fields of the specification', async () => {
  const { data, pagination, simulated } = (await call('free', '/api/v1/airports?q=KJFK')).json()
  expect([pagination, simulated]).toEqual([{ page: 1, limit: 50, total: 1, total_pages: 1 }, false])
  expect(data).toEqual([
    {
      iata: 'JFK',
      icao: 'KJFK',
      name: 'John F. Kennedy International Airport',
      city: 'New York',
      country: 'US',
      region: 'US-NY',
      latitude: 40.6398,
      longitude: -73.7789,
      elevation_ft: 13,
      timezone: 'America/New_York',
      size: 'large',
      scheduled_service: true,
      live: true,
      sources: ['panynj'],
    },
  ])
})

test('filters combine', async () => {
  expect(codes(await call('free', '/api/v1/airports?country=us'))).toEqual(['JFK', 'LGA', 'XSM'])
  expect(codes(await call('free', '/api/v1/airports?country=US&live=false&size=medium'))).toEqual(['LGA'])
  expect(codes(await call('free', '/api/v1/airports?live=true'))).toEqual(['JFK'])
  expect(codes(await call('free', '/api/v1/airports?country=ZZ'))).toEqual([])
})

test('UK and EL are read as the countries that are meant', () => {
  const texts = ['UK', 'el', 'us', 'ZZ', 'United Kingdom', 'canadá', 'U.S.', 'US Virgin Islands']
  expect(texts.map((text) => countryFilter.parse(text))).toEqual(['GB', 'GR', 'US', 'ZZ', 'GB', 'CA', 'US', 'VI'])
  expect(countryFilter.safeParse('Atlantis').error?.issues[0]?.message).toMatch(/^is not a known country: give its ISO/)
})

test('a country is read by its code of three letters and by its name in languages of travellers', () => {
  const texts = [
    'IRL',
    'jpn',
    'DEU',
    'AND',
    '日本',
    '대한민국',
    'Korea',
    'North Korea',
    'España',
    'Россия',
    'لبنان',
    'ไทย',
    'भारत',
  ]
  const codes = ['IE', 'JP', 'DE', 'AD', 'JP', 'KR', 'KR', 'KP', 'ES', 'RU', 'LB', 'TH', 'IN']
  expect(texts.map((text) => countryFilter.parse(text))).toEqual(codes)
})

test('a page past the last is empty', async () => {
  const past = await call('free', '/api/v1/airports?page=99')
  expect([past.statusCode, codes(past), past.json().pagination.total]).toEqual([200, [], 6])
})

/** The target of a relation in an answer's Link header, without the address of the site; null without that relation. */
function linkTo(answer: { headers: Record<string, unknown> }, relation: string): string | null {
  const found = new RegExp(`<http://[^/]+(/[^>]+)>; rel="${relation}"`).exec(String(answer.headers.link))
  return found?.[1] ?? null
}

test.each([
  ['/api/v1/airports?limit=1', ['DEL', 'GRU', 'JFK', 'LGA', 'XSM', 'ZRH']],
  ['/api/v1/airports?limit=2', ['DEL', 'GRU', 'JFK', 'LGA', 'XSM', 'ZRH']],
  ['/api/v1/airports?limit=5', ['DEL', 'GRU', 'JFK', 'LGA', 'XSM', 'ZRH']],
  ['/api/v1/airports?country=us&limit=1', ['JFK', 'LGA', 'XSM']],
  ['/api/v1/airports?q=new%20york&limit=1', ['JFK', 'LGA']],
  ['/api/v1/airports?live=false&size=large&limit=1', ['DEL', 'GRU', 'ZRH']],
  ['/api/v1/airports?country=ZZ', []],
  ['/api/v1/coverage?limit=2&country=US', ['JFK', 'LGA', 'XSM']],
])('the links of %s lead past every airport once, forth and back', async (url, expected) => {
  const walk = async (from: string, relation: string) => {
    const seen: string[] = []
    let last = from
    for (let next: string | null = from; next !== null; ) {
      const answer = await call('pro', next)
      const rows: { iata?: string; airport?: string }[] = answer.json().data
      const page = rows.map(({ iata, airport }) => iata ?? airport ?? '')
      if (relation === 'next') seen.push(...page)
      else seen.unshift(...page)
      last = next
      next = linkTo(answer, relation)
    }
    return { seen, last }
  }
  const first = await call('pro', url)
  const forth = await walk(linkTo(first, 'first')!, 'next')
  expect(forth.seen).toEqual(expected)
  expect(forth.last).toBe(linkTo(first, 'last'))
  const back = await walk(linkTo(first, 'last')!, 'prev')
  expect(back).toEqual({ seen: expected, last: linkTo(first, 'first') })
  const asCsv = await call('pro', url, { headers: { accept: 'text/csv' } })
  expect(asCsv.headers.link).toBe(first.headers.link)
})
