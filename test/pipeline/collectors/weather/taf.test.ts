import { describe, expect, it, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { awcTaf } from '../../../../pipeline/collectors/weather/taf.ts'
import type { RequestContext } from '../../../../pipeline/parsing/collector.ts'
import { contextAt, expectLandable, fixture, hasSamples, sample } from '../faa-and-weather.ts'

const context = contextAt('2027-01-07T23:40:00Z')
const parse = (body: string) => awcTaf.parse(body, context)
const forecasts = fixture('awc', 'taf.json')

describe('forecasts', () => {
  const parsed = parse(forecasts)

  it('land as one row per period', () => {
    expectLandable('tafs', parsed)
    expect(parsed.readings.map((row) => [row.icao, row.change, row.probability, row.period_from])).toEqual([
      ['KORD', null, null, '2027-01-07T21:00:00Z'],
      ['KORD', 'TEMPO', null, '2027-01-08T00:00:00Z'],
      ['KORD', 'FM', null, '2027-01-08T12:00:00Z'],
      ['KORD', 'INTER', null, '2027-01-08T12:00:00Z'],
      ['KMSN', null, null, '2027-01-08T00:00:00Z'],
      ['KMSN', 'PROB', 30, '2027-01-08T00:00:00Z'],
    ])
    expect(new Set(parsed.readings.map((row) => row.issued_at))).toEqual(
      new Set(['2027-01-07T20:52:00Z', '2027-01-07T23:25:00Z']),
    )
  })

  it('have the sky of each period, with vertical visibility from the text', () => {
    expect(parsed.readings[0]).toMatchObject({ wind_direction_deg: 330, visibility_sm: 6, ceiling_ft: 3_500 })
    expect(parsed.readings[1]).toMatchObject({
      visibility_sm: 1,
      ceiling_ft: 800,
      weather: 'SN',
      flight_category: 'IFR',
    })
    expect(parsed.readings[2]).toMatchObject({
      wind_direction_deg: null,
      wind_kt: 3,
      ceiling_ft: null,
      flight_category: 'VFR',
    })
  })

  it('are decoded from the text where the payload has no periods', () => {
    expect(parsed.readings[5]).toMatchObject({ ceiling_ft: 800, visibility_sm: 2, flight_category: 'IFR' })
  })

  it('report periods that are left out', () => {
    expect(parsed.notices.map(({ code, path }) => [code, path])).toEqual([
      ['period_without_time', '$[0].fcsts[4]'],
      ['change_unknown', '$[0].fcsts[5]'],
      ['row_without_period', '$[2]'],
      ['row_without_report', '$[3]'],
    ])
  })
})

describe('other answers', () => {
  it('leaves out a forecast issued hours after the fetch', () => {
    const { readings, notices } = awcTaf.parse(forecasts, contextAt('2027-01-07T19:30:00Z'))
    expect(readings.map(({ icao }) => icao)).not.toContain('KORD')
    expect(notices.map(({ code }) => code)).toContain('observed_in_future')
  })

  test.each(['', '[]'])('accepts %j without forecasts', (body) => expect(parse(body).readings).toEqual([]))

  test.each(['<html></html>', '{}', '["KJFK"]'])('rejects %j with a ParseError', (body) =>
    expect(() => parse(body)).toThrow(ParseError),
  )

  it.skipIf(!hasSamples)('reads the real answer without a notice', () => {
    const parsed = parse(sample('metar-taf', 'awc_taf_json_2026-05-20.json'))
    expectLandable('tafs', parsed)
    expect(parsed.notices).toEqual([])
    expect(parsed.readings.map((row) => [row.icao, row.change, row.flight_category])).toEqual([
      ['KORD', null, 'VFR'],
      ['KORD', 'FM', 'VFR'],
      ['KORD', 'FM', 'VFR'],
      ['KMCI', null, 'VFR'],
      ['KMCI', 'FM', 'VFR'],
    ])
  })
})

it('requests forecasts by station', () => {
  const context = {
    source: { url: 'https://aviationweather.gov/api/data/taf' },
    airports: ['JFK'],
    icaoOf: () => 'KJFK',
  }
  expect(awcTaf.request(context as unknown as RequestContext).map(({ url }) => url)).toEqual([
    'https://aviationweather.gov/api/data/taf?ids=KJFK&format=json',
  ])
})

test.each(['TAF EDDM 271100Z NIL=', 'TAF AMD EDDM 271100Z NIL'])(
  'a station without a forecast is no fault: %s',
  (rawTAF) => {
    const { readings, notices } = parse(JSON.stringify([{ icaoId: 'EDDM', rawTAF }]))
    expect(readings).toEqual([])
    expect(notices).toMatchObject([{ code: 'report_nil', severity: 'info' }])
  },
)
