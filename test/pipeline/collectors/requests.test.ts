import lzString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { aci, keyInScript } from '../../../pipeline/collectors/aci.ts'
import { keyInWidget } from '../../../pipeline/collectors/den-flyfruition.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { keysInScript } from '../../../pipeline/collectors/mobi.ts'
import { pitAzure } from '../../../pipeline/collectors/pit-azure.ts'
import { nwsZones } from '../../../pipeline/collectors/weather/nws.ts'
import { keysInFrame, zensors } from '../../../pipeline/collectors/zensors.ts'
import { testValues } from '../../values.ts'
import { contextFor, fixture } from './context.ts'
import { requestsOf } from './requests-of.ts'

/** What collectors request, with which keys, and how they learn the keys of a site. */

const fromPitScript = (script: string) => pitAzure.learn?.fromScript?.(script) ?? null
const fromAciUrl = (url: string) => aci.learn?.fromUrl?.(url) ?? null
/** A function of texts, given one in which `<900 spaces>` stands for these. */
const spaced = <T>(learn: (text: string) => T) => {
  return (text: string) => learn(text.replace('<900 spaces>', ' '.repeat(900)))
}

testValues('pipeline/collectors/requests.json', {
  firstRequest: (source: string, keys: Record<string, string>) => requestsOf(source, keys)[0],
  requests: (source: string) => new Set(requestsOf(source).map(({ url }) => url)).size,
  hasRequest: (source: string, url: string) =>
    requestsOf(source, { operator_key: 'a+b/c==' }).some((request) => request.url === url),
  keyHeaders: (source: string, keys: Record<string, string>) => {
    const without = Object.keys(requestsOf(source)[0]?.headers ?? {})
    return Object.fromEntries(
      Object.entries(requestsOf(source, keys)[0]?.headers ?? {}).filter(([header]) => !without.includes(header)),
    )
  },
  keysInScript: spaced(keysInScript),
  keyInScript,
  fromAciUrl,
  keyInWidget: spaced(keyInWidget),
  fromPitScript,
  keysInFrame,
})

it.each(['waitport', 'qsensor'])('%s makes one request an airport', (source) => {
  expect(new Set(requestsOf(source).map(({ url }) => url)).size).toBe(sourceById(source).airports.length)
})

it('sends no key in an address without one, and none to a member that needs none', () => {
  expect(requestsOf('aci-phx')[0]?.url).not.toContain('Key')
  expect(JSON.stringify(requestsOf('bwi-json', { api_key: 'made-up' }))).not.toContain('made-up')
})

it('panynj-customs requests each airport with the headers of its own site', () => {
  expect(requestsOf('panynj-customs').map(({ url, headers }) => [url.split('/').at(-1), headers.Origin])).toEqual([
    ['JFK', 'https://www.jfkairport.com'],
    ['LGA', 'https://www.laguardiaairport.com'],
    ['EWR', 'https://www.newarkairport.com'],
  ])
})

it('panynj-graphql requests each airport at its own site, compressed as the site does it', () => {
  const requests = requestsOf('panynj-graphql')
  expect(requests.map(({ url, iata, method }) => [url, iata, method])).toEqual([
    ['https://www.jfkairport.com/api/graphql', 'JFK', 'POST'],
    ['https://www.laguardiaairport.com/api/graphql', 'LGA', 'POST'],
    ['https://www.newarkairport.com/api/graphql', 'EWR', 'POST'],
  ])
  const query = JSON.parse(lzString.decompressFromEncodedURIComponent(requests[1]?.body ?? '') ?? '')
  expect(query.variables).toEqual({ airportCode: 'LGA' })
  expect(requests[1]?.headers['Content-Type']).toBe('text/plain')
})

it('zensors sends one request per journey with the slug and token of the frame, and names its terminal and checkpoint', () => {
  const requests = requestsOf('zensors-las', { slug: 'made-up', token: 'made-up-token' })
  expect(requests.map(({ iata }) => iata)).toEqual(['LAS', 'LAS', 'LAS', 'LAS'])
  const input = JSON.parse(new URL(requests[1]?.url ?? '').searchParams.get('input') ?? '')
  expect(input).toEqual({ 0: { journey: 'tN8G8AV9D', slug: 'made-up', domainSlug: 'LAS', token: 'made-up-token' } })
  const read = (url: string) =>
    zensors.parse(fixture('zensors.json'), { ...contextFor('zensors-las', 'LAS'), url }).readings[0]
  expect(read(requests[3]?.url ?? '')).toMatchObject({ terminal: '3', checkpoint: 'T3 - D/E Gates' })
  expect(() => read('https://embed.zensors.live/?input=%7B%220%22%3A%7B%22journey%22%3A%22other%22%7D%7D')).toThrow(
    ParseError,
  )
})

it('nws-alerts allows for its size and asks every ten minutes', () => {
  expect(requestsOf('nws-alerts')[0]?.max_bytes).toBeGreaterThan(20_000_000)
  expect(sourceById('nws-alerts').cadence_seconds).toBe(600)
})

describe('weather reports', () => {
  const stationsOf = (id: string, airports: string[]) => {
    const icaoOf = (iata: string) => (iata === 'QQQ' ? null : `K${iata}`)
    const source = sourceById(id)
    const requests = collectorById(source.collector).request({ source, airports, now: 0, learned_keys: {}, icaoOf })
    return requests.map(({ url }) => {
      const { origin, pathname, searchParams } = new URL(url)
      expect([origin + pathname, searchParams.get('format')]).toEqual([source.url, 'json'])
      return searchParams.get('ids')?.split(',')
    })
  }

  it.each(['awc-metar', 'awc-taf'])('%s names each station once; there is no request for no station', (id) => {
    expect(stationsOf(id, ['JFK', 'QQQ', 'LAX', 'JFK'])).toEqual([['KJFK', 'KLAX']])
    expect(stationsOf(id, ['QQQ'])).toEqual([])
  })

  it('go in batches of a hundred', () => {
    const letters = [...'ABCDEFGHIJKLMNO']
    const airports = letters.flatMap((first) => letters.map((second) => `X${first}${second}`))
    expect(stationsOf('awc-metar', airports).map((stations) => stations?.length)).toEqual([100, 100, 25])
  })

  it('nws-zones names a point by at most four decimals and no zeros at the end, which would be redirected', () => {
    const airports_due = [{ iata: 'JFK', latitude: 40.639801, longitude: -73.7, radius_m: 1 }]
    const source = sourceById('nws-zones')
    const context = { source, airports: [], now: 0, learned_keys: {}, icaoOf: () => null, airports_due }
    expect(nwsZones.request(context).map(({ url, iata }) => [url, iata])).toEqual([
      ['https://api.weather.gov/points/40.6398,-73.7', 'JFK'],
    ])
  })
})
