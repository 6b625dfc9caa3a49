import { describe, expect, it, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { awcMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import type { RequestContext } from '../../../../pipeline/parsing/collector.ts'
import { contextAt, expectLandable, fixture, hasSamples, sample } from '../faa-and-weather.ts'

const context = contextAt('2027-01-07T22:05:00Z')
const parse = (body: string) => awcMetar.parse(body, context)
const today = fixture('awc', 'metar.json')
const before = fixture('awc', 'metar-before-2025-09.json')

describe("reports of today's schema", () => {
  const parsed = parse(today)
  const [jfk, sfo, lhr] = parsed.readings

  it('land with the decoded fields of the payload', () => {
    expectLandable('metars', parsed)
    expect(parsed.readings.map((row) => row.icao)).toEqual(['KJFK', 'KSFO', 'EGLL'])
    expect(jfk).toMatchObject({
      observed_at: '2027-01-07T21:51:00Z',
      wind_direction_deg: null,
      wind_kt: 4,
      wind_gust_kt: null,
      visibility_sm: 0.25,
      weather: 'SN FZFG',
      temperature_c: -2.2,
    })
  })

  it('take vertical visibility from the text, as a ceiling', () => {
    expect(jfk).toMatchObject({ ceiling_ft: 300, flight_category: 'LIFR' })
  })

  it('take missing fields from the text, also the time', () => {
    expect(sfo).toMatchObject({
      wind_direction_deg: 280,
      wind_kt: 15,
      wind_gust_kt: 25,
      dewpoint_c: 8,
      visibility_sm: 10,
    })
    expect(lhr).toMatchObject({
      observed_at: '2027-01-07T21:50:00Z',
      visibility_sm: 2.17,
      ceiling_ft: 900,
      altimeter_hpa: 996,
      flight_category: 'IFR',
      raw: 'METAR EGLL 072150Z AUTO 24006MPS 3500 BR OVC009 07/06 Q0996',
    })
  })

  it('report a flight category other than ours, and rows that are not reports', () => {
    expect(sfo?.flight_category).toBe('MVFR')
    expect(parsed.notices.map(({ code, path, iata }) => [code, path, iata])).toEqual([
      ['flight_category_differs', '$[1]', 'SFO'],
      ['row_without_report', '$[3]', 'BOS'],
      ['row_without_station', '$[4]', null],
      ['row_without_time', '$[5]', 'ORD'],
      ['row_unreadable', '$[6]', null],
    ])
  })
})

it('reports of the schema before September 2025 are read in the same way', () => {
  const parsed = parse(before)
  expectLandable('metars', parsed)
  expect(parsed.notices).toEqual([])
  expect(parsed.readings).toEqual([
    {
      icao: 'KTPA',
      observed_at: '2025-07-09T18:53:00Z',
      wind_direction_deg: 230,
      wind_kt: 6,
      wind_gust_kt: null,
      visibility_sm: 7,
      visibility_bound: null,
      ceiling_ft: 5_000,
      ceiling_known: true,
      weather: null,
      flight_category: 'VFR',
      temperature_c: 32.2,
      dewpoint_c: 24,
      altimeter_hpa: 1019.4,
      raw: 'KTPA 091853Z COR 23006KT 7SM FEW035 BKN050 32/24 A3010',
    },
  ])
})

describe('other answers', () => {
  it('leave out a report dated hours after the fetch, but not one of the coming half hour', () => {
    const at = (fetched_at: string) => awcMetar.parse(today, contextAt(fetched_at))
    expect(at('2027-01-07T21:30:00Z').readings).toHaveLength(3)
    expect(at('2027-01-07T20:30:00Z').readings.map(({ icao }) => icao)).not.toContain('KJFK')
    expect(at('2027-01-07T20:30:00Z').notices.map(({ code }) => code)).toContain('observed_in_future')
  })

  test.each(['', '  ', '[]'])('accepts %j without reports', (body) => expect(parse(body).readings).toEqual([]))

  test.each(['<html></html>', '{"error":"Too many requests"}', '[1, 2]', '[{"station":"KJFK"}]', today.slice(0, 300)])(
    'rejects %j with a ParseError',
    (body) => expect(() => parse(body)).toThrow(ParseError),
  )

  it.skipIf(!hasSamples)('reads the real answers of both schemas without a notice', () => {
    for (const [file, rows] of [
      ['awc_metar_json_2026-05-20.json', 3],
      ['awc_metar_json_old_schema_2025-07-09.json', 1],
    ] as const) {
      const parsed = parse(sample('metar-taf', file))
      expectLandable('metars', parsed)
      expect(parsed.notices).toEqual([])
      expect(parsed.readings).toHaveLength(rows)
      expect(parsed.readings.every((row) => row.flight_category === 'VFR')).toBe(true)
    }
  })
})

describe('requests', () => {
  const ask = (airports: string[]) =>
    awcMetar
      .request({
        source: { url: 'https://aviationweather.gov/api/data/metar' },
        airports,
        icaoOf: (iata) => (iata === 'QQQ' ? null : `K${iata}`),
      } as RequestContext)
      .map(({ url }) => url)

  it('name the stations without airports that have no ICAO code; there is no request for no station', () => {
    expect(ask(['JFK', 'QQQ', 'LAX', 'JFK'])).toEqual([
      'https://aviationweather.gov/api/data/metar?ids=KJFK,KLAX&format=json',
    ])
    expect(ask(['QQQ'])).toEqual([])
  })

  it('go in batches of a hundred', () => {
    const letters = [...'ABCDEFGHIJKLMNO']
    const airports = letters.flatMap((a) => letters.map((b) => `X${a}${b}`))
    const counts = ask(airports).map((url) => new URL(url).searchParams.get('ids')?.split(',').length)
    expect(counts).toEqual([100, 100, 25])
  })
})
