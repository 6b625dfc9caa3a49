import { describe, expect, it, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { faaNasStatus, readStatusTree } from '../../../../pipeline/collectors/faa/nas-status.ts'
import type { RequestContext } from '../../../../pipeline/parsing/collector.ts'
import { reported } from '../../../reported.ts'
import { contextAt, expectLandable, fixture } from '../faa-and-weather.ts'

const context = contextAt('2027-01-07T23:46:00Z')
const parse = (body: string) => faaNasStatus.parse(body, context)
const busy = fixture('faa', 'status-busy.xml')
const rowOf = (faaId: string, type: string) =>
  parse(busy).readings.filter((row) => row.faa_id === faaId && row.type === type)

describe('a busy document', () => {
  it('lands every program and closure once, without a notice', () => {
    const parsed = parse(busy)
    expectLandable('delays', parsed)
    expect(parsed.notices).toEqual([])
    expect(parsed.observed_at).toBe('2027-01-07T23:45:10Z')
    expect(parsed.readings.map((row) => `${row.faa_id} ${row.type}`)).toEqual([
      'JFK ground_stop',
      'SFO ground_delay',
      'BOS ground_delay',
      'PHX arrival_delay',
      'PHX departure_delay',
      'YYZ departure_delay',
      'FCAA05 airspace_flow',
      'CTP101 airspace_flow',
      'ASE closure',
      'LAX closure',
      'EGE closure',
    ])
    expect(new Set(parsed.readings.map((row) => row.observed_at))).toEqual(new Set([parsed.observed_at]))
  })

  it('dates the end of a ground stop at the nearest such time', () => {
    expect(rowOf('JFK', 'ground_stop')[0]).toMatchObject({
      iata: 'JFK',
      reason: 'snow or ice',
      reason_category: 'weather',
      end: '2027-01-08T05:30:00Z',
      start: null,
      average_minutes: null,
    })
  })

  it('reads average and longest delay, and a longest delay of 0 as unknown', () => {
    expect(rowOf('SFO', 'ground_delay')[0]).toMatchObject({ average_minutes: 65, max_minutes: 184, min_minutes: null })
    expect(rowOf('BOS', 'ground_delay')[0]).toMatchObject({ average_minutes: 46, max_minutes: null })
  })

  it('lands arrival and departure delays as rows of their own', () => {
    const arrival = { min_minutes: 15, max_minutes: 29, trend: 'decreasing', reason_category: 'volume' }
    expect(rowOf('PHX', 'arrival_delay')[0]).toMatchObject(arrival)
    const departure = { min_minutes: 46, max_minutes: 60, trend: 'increasing', reason: 'TM Initiatives:MIT:VOL' }
    expect(rowOf('PHX', 'departure_delay')[0]).toMatchObject(departure)
  })

  it('reads a Canadian airport, an entity in a reason and a missing trend', () => {
    expect(rowOf('YYZ', 'departure_delay')[0]).toMatchObject({
      iata: 'YYZ',
      reason: 'OTHER: S&R OPS',
      reason_category: 'other',
      trend: null,
    })
  })

  it('reads flow programs with the time of the program and the date of its area', () => {
    expect(rowOf('FCAA05', 'airspace_flow')[0]).toMatchObject({
      iata: null,
      average_minutes: 24,
      start: '2027-01-07T23:00:00Z',
      end: '2027-01-08T04:59:00Z',
      scope: '18000 ft to no ceiling',
    })
    expect(rowOf('CTP101', 'airspace_flow')[0]).toMatchObject({
      average_minutes: 31,
      start: '2027-01-08T00:00:00Z',
      end: '2027-01-08T06:00:00Z',
      scope: 'FCA101 0 ft to 35000 ft; FCA102',
    })
  })

  it('reads whether a closure is for airlines, at which hours and until when', () => {
    expect(rowOf('ASE', 'closure')).toHaveLength(1)
    expect(rowOf('ASE', 'closure')[0]).toMatchObject({
      closed_to_airlines: true,
      closed_hours_utc: '2200-0600',
      start: '2027-01-05T22:00:00Z',
      end: '2027-01-20T06:00:00Z',
      reason_category: 'closure',
    })
    expect(rowOf('LAX', 'closure')[0]).toMatchObject({
      closed_to_airlines: false,
      closed_hours_utc: null,
      start: '2026-06-01T12:00:00Z',
      end: null,
    })
    expect(rowOf('EGE', 'closure')[0]).toMatchObject({
      closed_to_airlines: true,
      start: '2026-12-30T04:00:00Z',
      end: '2027-01-09T12:00:00Z',
    })
  })
})

describe('field names of the DTD', () => {
  it('are read like those of the live feed', () => {
    const dtd = busy
      .replaceAll('FCA_StartDateTime', 'FCA_Start_DateTime')
      .replaceAll('FCA_EndDateTime', 'FCA_End_DateTime')
    expect(dtd).not.toBe(busy)
    expect(parse(dtd).readings).toEqual(parse(busy).readings)
  })

  it('date a flow program without an area window by the document', () => {
    const undated = busy.replace(/<FCA_(?:Start|End)DateTime>\d+<\/FCA_(?:Start|End)DateTime>/g, '')
    const row = parse(undated).readings.find(({ faa_id }) => faa_id === 'FCAA05')
    expect(row).toMatchObject({ start: '2027-01-07T23:00:00Z', end: '2027-01-08T04:59:00Z' })
  })
})

it('dates the ends of the reported ground stops, of which two have just passed', () => {
  const { readings, notices } = faaNasStatus.parse(
    reported('ground-stop-just-ended.xml'),
    contextAt('2026-08-12T20:18:00Z'),
  )
  expect(notices).toEqual([])
  expect(readings.map(({ faa_id, end }) => [faa_id, end])).toEqual([
    ['EWR', '2026-08-12T20:17:00Z'],
    ['BOS', '2026-08-12T20:16:00Z'],
    ['JFK', '2026-08-12T21:00:00Z'],
  ])
})

it('a quiet system gives no rows, with its own observation time', () => {
  const parsed = faaNasStatus.parse(fixture('faa', 'status-quiet.xml'), contextAt('2027-02-01T08:06:00Z'))
  expect(parsed).toEqual({ readings: [], notices: [], observed_at: '2027-02-01T08:05:09Z' })
})

it('damaged rows are each reported, and the others are read', () => {
  const parsed = parse(fixture('faa', 'status-damaged.xml'))
  expectLandable('delays', parsed)
  expect(parsed.notices.map(({ code }) => code)).toEqual([
    'row_without_airport',
    'airport_unknown',
    'value_unreadable',
    'reason_unknown',
    'row_without_leg',
    'row_without_leg',
    'value_unreadable',
    'closure_unclear',
    'delay_type_unknown',
    'delay_type_unknown',
  ])
  expect(parsed.notices[2]).toMatchObject({
    path: '$.AIRPORT_STATUS_INFORMATION.Delay_type[0].Ground_Stop_List.Program[1].End_Time',
    value: 'soon',
  })
  expect(parsed.readings).toHaveLength(3)
  expect(parsed.readings[0]).toMatchObject({
    faa_id: 'XXX',
    iata: null,
    reason: 'solar flare',
    reason_category: null,
  })
  expect(parsed.readings[1]).toMatchObject({ faa_id: 'SFO', average_minutes: null, max_minutes: 60 })
  expect(parsed.readings[2]).toMatchObject({ faa_id: 'BOI', closed_to_airlines: null, end: '2027-01-09T00:00:00Z' })
})

it('names that every object inherits are neither kinds of delay nor legs', () => {
  const parsed = readStatusTree(
    {
      AIRPORT_STATUS_INFORMATION: {
        Update_Time: 'Thu Jan 7 23:45:10 2027 GMT',
        Delay_type: [
          { constructor: { Program: { ARPT: 'JFK' } } },
          { Arrival_Departure_Delay_List: { Delay: { ARPT: 'JFK', Arrival_Departure: { Type: 'constructor' } } } },
        ],
      },
    },
    context,
  )
  expect(parsed.readings).toEqual([])
  expect(parsed.notices.map(({ code }) => code)).toEqual(['delay_type_unknown', 'row_without_leg'])
})

test.each([
  ['nothing', ''],
  ['a page', '<!DOCTYPE html><html><body><p>Access denied<br></body></html>'],
  ['a well-formed page', '<html><body><p>Access denied</p></body></html>'],
  ['JSON', '{"AIRPORT_STATUS_INFORMATION":{}}'],
  ['a cut document', busy.slice(0, 900)],
  ['an empty root', '<AIRPORT_STATUS_INFORMATION/>'],
  ['a document without its time', busy.replace(/<Update_Time>.*?<\/Update_Time>/, '')],
  ['a time after the fetch', busy.replace('23:45:10 2027', '23:49:10 2027')],
  ['a time in another form', busy.replace('Thu Jan 7 23:45:10 2027 GMT', '2027-01-07T23:45:10Z')],
])('another document rejects %s with a ParseError', (_, body) => expect(() => parse(body)).toThrow(ParseError))

it('requests one document', () => {
  const request = { source: { url: 'https://nasstatus.faa.gov/api/airport-status-information' } } as RequestContext
  expect(faaNasStatus.request(request)).toEqual([
    {
      url: 'https://nasstatus.faa.gov/api/airport-status-information',
      method: 'GET',
      headers: { Accept: 'application/xml' },
      body: null,
      iata: null,
    },
  ])
})
