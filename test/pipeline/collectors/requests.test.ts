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
import { contextFor, fixture } from './context.ts'
import { requestsOf } from './requests-of.ts'

/** What collectors request, with which keys, and how they learn the keys of a site. */

const KAC = 'https://apis.data.go.kr/B551178/airport-process-time'
const CATSA = 'https://www.catsa-acsta.gc.ca/en/airport'

it.each<[source: string, keys: Record<string, string>, urls: string[]]>([
  ['catsa-html', {}, [`${CATSA}/toronto-pearson-international-airport`]],
  ['locuslabs', {}, ['https://marketplace.locuslabs.com/venueId/dfw/dynamic-poi']],
  ['aci-phx', { api_key: 'made-up' }, ['https://api.phx.aero/avn-wait-times/raw?Key=made-up']],
  ['kac-process-time', {}, [`${KAC}/v1?type=json&numOfRows=100&pageNo=1`]],
  [
    'kac-process-time',
    { operator_key: 'a+b/c==' },
    ['v1', 'v2'].map((version) => `${KAC}/${version}?serviceKey=a%2Bb%2Fc%3D%3D&type=json&numOfRows=100&pageNo=1`),
  ],
  ['nws-alerts', {}, ['https://api.weather.gov/alerts/active?status=actual']],
  ['faa-nas-status', {}, ['https://nasstatus.faa.gov/api/airport-status-information']],
])('%s with the keys %j requests %j', (source, keys, urls) => {
  expect(requestsOf(source, keys).map(({ url }) => url)).toEqual(expect.arrayContaining(urls))
})

it.each([
  ['lhr-pihub', 4],
  ['zensors-las', 4],
  ['zensors-bos', 7],
  ['catsa-html-others', 10],
  ['waitport', sourceById('waitport').airports.length],
  ['qsensor', sourceById('qsensor').airports.length],
  ['faa-nas-status', 1],
  ['nws-alerts', 1],
])('%s makes %d requests, each with an address of its own', (source, count) => {
  const urls = requestsOf(source).map(({ url }) => url)
  expect([urls.length, new Set(urls).size]).toEqual([count, count])
})

it.each([
  ['waitport', 'https://waitport.com/api/v1/all?airport=eq.CPH&order=id.desc&limit=1'],
  ['qsensor', 'https://qsensor.co/airports/los-angeles-international-airport-tsa-wait-times/'],
  ['catsa-html-others', `${CATSA}/ottawa-international-airport`],
])('%s requests the page that the catalogue names for an airport: %s', (source, url) => {
  expect(requestsOf(source).map((request) => request.url)).toContain(url)
})

it.each<[source: string, keys: Record<string, string>, headers: Record<string, string>]>([
  ['mobi-mco', { api_key: 'made-up', api_version: '140' }, { 'api-key': 'made-up', 'api-version': '140' }],
  ['sita-mia', { api_key: 'made-up' }, { 'x-apikey': 'made-up' }],
  ['den-flyfruition', { api_key: 'made-up' }, { 'x-api-key': 'made-up' }],
  ['pit-azure', { subscription_key: 'made-up' }, { 'Ocp-Apim-Subscription-Key': 'made-up' }],
  ['swedavia-keyed', { operator_key: 'made-up' }, { 'Ocp-Apim-Subscription-Key': 'made-up' }],
])('%s sends the keys %j in its headers, and none where it has none', (source, keys, headers) => {
  expect(requestsOf(source, keys)[0]?.headers).toMatchObject(headers)
  const without = Object.keys(requestsOf(source)[0]?.headers ?? {})
  for (const header of Object.keys(headers)) expect(without).not.toContain(header)
})

it.each([
  ['lhr-pihub', { Origin: 'https://www.heathrow.com' }],
  ['dus-sitecore', { 'X-Requested-With': 'XMLHttpRequest' }],
  ['mwaa-iad', { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' }],
  ['ist', { Referer: 'https://www.istairport.com/' }],
  ['yyc-rms', { Origin: 'https://www.yyc.com', Referer: 'https://www.yyc.com/' }],
])('%s is requested with the headers of its own page', (source, headers) => {
  expect(requestsOf(source)[0]?.headers).toMatchObject(headers)
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

it('faa-nas-status accepts XML; nws-alerts allows for its size and asks every ten minutes', () => {
  expect(requestsOf('faa-nas-status')[0]).toMatchObject({
    method: 'GET',
    headers: { Accept: 'application/xml' },
    body: null,
    iata: null,
  })
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

const FRAME = 'https://embed.zensors.live/LAS/made-up'
const FLYFRUITION = 'fetch("https://app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"made-up-key-5"}})'
const fromPitScript = (script: string) => pitAzure.learn?.fromScript?.(script) ?? null
const fromAciUrl = (url: string) => aci.learn?.fromUrl?.(url) ?? null

it.each<[learn: (text: string) => object | null, text: string, keys: object | null]>([
  [
    keysInScript,
    'headers:{"api-key":"made-up-key-1","api-version":"140"}',
    { api_key: 'made-up-key-1', api_version: '140' },
  ],
  [
    keysInScript,
    "h={'Api-Version':'120',Accept:'x','Api-Key':'MADEUPKEY2'}",
    { api_key: 'MADEUPKEY2', api_version: '120' },
  ],
  [keysInScript, 'clientId:"somebody-else",secret:"not-for-us"', null],
  [keysInScript, `"api-key":"made-up-key-3"${' '.repeat(900)}"api-version":"9"`, null],
  [keyInScript, 'xhr.setRequestHeader("x-apikey", "made-up-key-1")', { api_key: 'made-up-key-1' }],
  [keyInScript, 'headers:{"X-APIKey":"made-up-key-2"}', { api_key: 'made-up-key-2' }],
  [keyInScript, 'fetch("https://api.phx.aero/avn-wait-times/raw?Key=madeupkey3")', { api_key: 'madeupkey3' }],
  [keyInScript, '{"apikey":"somebody-else"}', null],
  [fromAciUrl, 'https://api.phx.aero/avn-wait-times/raw?Key=made-up-key-4', { api_key: 'made-up-key-4' }],
  [fromAciUrl, 'https://api.phx.aero/avn-wait-times/raw', null],
  [keyInWidget, `h={"x-api-key":"somebody-else"}${' '.repeat(900)}${FLYFRUITION}`, { api_key: 'made-up-key-5' }],
  [keyInWidget, 'h={"x-api-key":"somebody-else"}', null],
  [
    fromPitScript,
    "xhr.setRequestHeader('Ocp-Apim-Subscription-Key', 'made-up-key')",
    { subscription_key: 'made-up-key' },
  ],
  [fromPitScript, 'url: "/tsa/wait-times"', null],
  [keysInFrame, `<iframe src="${FRAME}/waitTimeExplorer?token=t"></iframe>`, { slug: 'made-up', token: 't' }],
  [keysInFrame, `<iframe src="${FRAME}/journeyPlanner?token=t"></iframe>`, null],
])('%o learns from %j the keys %j', (learn, text, keys) => {
  expect(learn(text)).toEqual(keys)
})
