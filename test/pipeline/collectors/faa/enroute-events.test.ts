import { describe, expect, it, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { faaEnrouteEvents } from '../../../../pipeline/collectors/faa/enroute-events.ts'
import { contextAt, expectLandable, fixture, hasSamples, sample } from '../faa-and-weather.ts'

const context = contextAt('2027-07-01T18:10:00Z')
const parse = (body: string) => faaEnrouteEvents.parse(body, context)
const events = fixture('faa', 'enroute-events.json')

describe('en-route events', () => {
  it('land as flow programs without an airport, even when little more than the name is known', () => {
    const parsed = parse(events)
    expectLandable('delays', parsed)
    expect(parsed.readings).toHaveLength(2)
    expect(parsed.readings[0]).toMatchObject({
      iata: null,
      faa_id: 'FCAA05',
      type: 'airspace_flow',
      reason_category: 'weather',
      average_minutes: 42.5,
      start: '2027-07-01T18:00:00Z',
      end: '2027-07-02T01:59:00Z',
      scope: '18000 ft to no ceiling; departing ZNY ZDC; not arriving ZBW ZOB; EXPECT EDCTS FOR WESTBOUND FLIGHTS.',
    })
    expect(parsed.readings[1]).toMatchObject({ faa_id: 'FCA002', reason: null, average_minutes: null, scope: null })
    expect(parsed.notices.map(({ code, path }) => [code, path])).toEqual([
      ['row_without_element', '$[2].airspaceFlowProgram'],
    ])
  })

  it('accepts an empty list', () => expect(parse('[]').readings).toEqual([]))

  test.each(['', '{}', '[{"airportId":"DEN"}]'])('rejects %j with a ParseError', (body) =>
    expect(() => parse(body)).toThrow(ParseError),
  )

  it.skipIf(!hasSamples)('reads the real answer', () => {
    const parsed = parse(sample('faa-nasstatus', 'json', 'enroute-events.json'))
    expectLandable('delays', parsed)
    expect(parsed.notices).toEqual([])
    expect(parsed.readings.map((row) => [row.faa_id, row.average_minutes, row.end])).toEqual([
      ['FCAA05', 42.5, '2026-07-16T01:59:00Z'],
      ['FCA002', null, null],
    ])
  })
})
