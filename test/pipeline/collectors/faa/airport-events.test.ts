import { describe, expect, it, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { faaAirportEvents } from '../../../../pipeline/collectors/faa/airport-events.ts'
import { contextAt, expectLandable, fixture, hasSamples, sample } from '../faa-and-weather.ts'

const context = contextAt('2027-07-01T22:10:00Z')
const parse = (body: string) => faaAirportEvents.parse(body, context)
const events = fixture('faa', 'airport-events.json')

describe('airport events', () => {
  const parsed = parse(events)
  const rowOf = (faaId: string, type: string) =>
    parsed.readings.find((row) => row.faa_id === faaId && row.type === type)

  it('have the fetch time as observation time, because the list has none', () => {
    expectLandable('delays', parsed)
    expect(parsed.observed_at).toBeNull()
    expect(parsed.readings.map((row) => `${row.faa_id} ${row.type} ${row.observed_at}`)).toEqual([
      'DEN ground_stop 2027-07-01T22:10:00Z',
      'SEA ground_delay 2027-07-01T22:10:00Z',
      'SEA arrival_delay 2027-07-01T22:10:00Z',
      'SEA departure_delay 2027-07-01T22:10:00Z',
      'JFK closure 2027-07-01T22:10:00Z',
      'JFK closure 2027-07-01T22:10:00Z',
      'ORD ground_delay 2027-07-01T22:10:00Z',
    ])
  })

  it('read dated programs with their scope', () => {
    expect(rowOf('DEN', 'ground_stop')).toMatchObject({
      iata: 'DEN',
      reason_category: 'weather',
      start: '2027-07-01T22:00:00Z',
      end: '2027-07-01T23:30:00Z',
      scope: 'with ZAU ZDC',
    })
    expect(rowOf('SEA', 'ground_delay')).toMatchObject({
      average_minutes: 55.5,
      max_minutes: 117,
      scope: 'ALL CONTIGUOUS US DEP; within 1200 NM',
    })
  })

  it('read delays with and without a range', () => {
    expect(rowOf('SEA', 'departure_delay')).toMatchObject({
      average_minutes: null,
      min_minutes: 16,
      max_minutes: 30,
      trend: 'increasing',
    })
    expect(rowOf('SEA', 'arrival_delay')).toMatchObject({
      reason: 'WEATHER:Low Ceilings',
      reason_category: 'weather',
      average_minutes: 30,
      min_minutes: null,
      max_minutes: null,
      trend: 'decreasing',
    })
  })

  it('tell a full closure from a partial one, and take missing times from the NOTAM', () => {
    const closures = parsed.readings.filter((row) => row.type === 'closure')
    expect(closures[0]).toMatchObject({ closed_to_airlines: true, end: '2027-07-02T04:00:00Z' })
    expect(closures[1]).toMatchObject({
      closed_to_airlines: false,
      start: '2027-06-01T12:00:00Z',
      end: '2027-08-01T12:00:00Z',
    })
  })

  it('report unreadable values', () => {
    expect(parsed.notices.map(({ code, path }) => [code, path])).toEqual([
      ['average_outside_range', '$[1].departureDelay'],
      ['value_unreadable', '$[4].groundStop'],
      ['value_unreadable', '$[4].groundDelay.avgDelay'],
      ['value_unreadable', '$[4].groundDelay.impactingCondition'],
      ['row_unreadable', '$[5]'],
    ])
  })
})

describe('minutes that do not agree', () => {
  test.each([
    ['30', '31 minutes', '45 minutes', [null, 31, 45], ['average_outside_range']],
    ['60', '31 minutes', '45 minutes', [null, 31, 45], ['average_outside_range']],
    ['31', '31 minutes', '45 minutes', [31, 31, 45], []],
    ['45', '31 minutes', '45 minutes', [45, 31, 45], []],
    ['40', '45 minutes', '31 minutes', [40, null, null], ['range_reversed']],
    ['46', '0 minutes', '0 minutes', [46, 0, null], []],
    ['0', '0 minutes', '0 minutes', [0, 0, 0], []],
  ])('reads an average of %s beside %s to %s', (averageDelay, min, max, expected, codes) => {
    const arrivalDelay = { averageDelay, arrivalDeparture: { min, max } }
    const { readings, notices } = parse(JSON.stringify([{ airportId: 'SEA', arrivalDelay }]))
    const [{ average_minutes, min_minutes, max_minutes } = readings[0]!] = readings
    expect([average_minutes, min_minutes, max_minutes]).toEqual(expected)
    expect(notices.map(({ code }) => code)).toEqual(codes)
  })

  it('leaves out an average above the longest delay of a ground delay program', () => {
    const { readings, notices } = parse('[{"airportId":"SEA","groundDelay":{"avgDelay":60,"maxDelay":45}}]')
    expect(readings).toMatchObject([{ average_minutes: null, max_minutes: 45 }])
    expect(notices).toMatchObject([{ code: 'average_outside_range', severity: 'info' }])
  })
})

describe('other answers', () => {
  it.each([-5, 1_441, 1e300])('reads no delay from %d minutes', (avgDelay) => {
    const { readings, notices } = parse(JSON.stringify([{ airportId: 'SEA', groundDelay: { avgDelay } }]))
    expect(readings).toMatchObject([{ type: 'ground_delay', average_minutes: null }])
    expect(notices.map(({ path }) => path)).toContain('$[0].groundDelay.avgDelay')
  })

  it('accepts an empty list', () => {
    expect(parse('[]')).toEqual({ readings: [], notices: [], observed_at: null })
  })

  test.each([
    '',
    '<html></html>',
    '{}',
    'null',
    '[1]',
    '[{"event":"NEXT PLANNING WEBINAR 1115Z"}]',
    '[{"airportId":"STL"}]',
  ])('rejects %j with a ParseError', (body) => expect(() => parse(body)).toThrow(ParseError))

  it.skipIf(!hasSamples)('reads the real answers, and rejects those of other addresses', () => {
    const parsed = parse(sample('faa-nasstatus', 'json', 'airport-events.json'))
    expectLandable('delays', parsed)
    expect(parsed.notices.map(({ code }) => code)).toEqual(['average_outside_range'])
    expect(parsed.readings.map((row) => [row.faa_id, row.type, row.closed_to_airlines])).toEqual([
      ['LAX', 'closure', false],
      ['ORD', 'departure_delay', null],
      ['SEA', 'ground_delay', null],
      ['DEN', 'ground_stop', null],
      ['JFK', 'closure', true],
      ['BOS', 'arrival_delay', null],
      ['ATL', 'ground_delay', null],
    ])
    const others = [
      'miscellaneous-info',
      'operations-plan',
      'pacing-airports',
      'legacy-asws-services.faa.gov-BDL-2016-12',
    ]
    for (const name of others) expect(() => parse(sample('faa-nasstatus', 'json', `${name}.json`))).toThrow(ParseError)
  })
})
