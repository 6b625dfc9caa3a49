import { describe, expect, it, test } from 'vitest'
import { closedToAirlines, notamPeriod, readClosure } from '../../../../pipeline/collectors/faa/closure.ts'

describe('readClosure', () => {
  it('reads number, hours and audience, in upper or lower case', () => {
    expect(readClosure('!PVD 08/055 PVD ad ap clsd exc hel dly 0430-0945 2608110430-2608220945')).toMatchObject({
      notam: { id: 'PVD 08/055' },
      closed_to_airlines: true,
      closed_hours_utc: '0430-0945',
    })
  })

  it('is not closed to airlines when the hours cannot be read', () => {
    const atNight = 'AD AP CLSD DUE TO CONSTRUCTION DLY SS-SR'
    expect(readClosure('AD AP CLSD DUE TO CONSTRUCTION').closed_to_airlines).toBe(true)
    expect(readClosure(atNight)).toMatchObject({ closed_to_airlines: null, closed_hours_utc: null })
    expect(readClosure('AD AP CLSD TO TRANSIENT ACFT DLY SS-SR').closed_to_airlines).toBe(false)
  })
})

it('notamPeriod gives instants, no end for PERM, and null without a period', () => {
  const period = (text: string) => notamPeriod(readClosure(text).notam)
  expect(period('AD AP CLSD 2608110430-PERM')).toEqual({ start: '2026-08-11T04:30:00Z', end: null })
  expect(period('AD AP CLSD')).toBeNull()
})

describe('closedToAirlines', () => {
  test.each([
    'AD AP CLSD',
    'AD AP CLSD.',
    'airport closed',
    'AD AP CLSD EXC HEL',
    'AD AP CLSD EXC EMERG ACFT',
    'AD AP CLSD EXC SAR HEL AND LIFE FLT HEL 30MIN PPR 970-555-0100',
    'AD AP CLSD EXC MIL AND MEDEVAC',
    'AD AP CLSD TO ALL ACFT EXC HEL',
    'AD AP CLSD TO FIXED WING ACFT',
    'AD AP CLSD TO SKED AIR CARRIERS',
    'AD AP CLSD DUE TO SNOW REMOVAL',
    'CLOSED EXC EMERGENCY AND MILITARY',
  ])('is true for %s', (body) => expect(closedToAirlines(body)).toBe(true))

  test.each([
    'AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR CTC SOMEBODY 310-555-0100',
    'AD AP CLSD TO NON SKED ACFT WINGSPAN MORE THAN 214FT AND TAIL HGT MORE THAN 66FT.',
    'AD AP CLSD TO NON-SKED AIR CARRIERS',
    'AD AP CLSD TO F-35 VTOL',
    'AD AP CLSD TO NON-SCHEDULED ACFT',
    'AD AP CLSD EXC SCHEDULED AIRLINES',
    'AD AP CLSD TO TRANSIENT MIL ACFT',
    'AD AP CLSD EXC SKED AIR CARRIERS AND EMERG ACFT',
    'AD AP CLSD EXC HEL AND ACR',
    'TO NON SKED TRANSIENT GA ACFT EXC PPR',
  ])('is false for %s', (body) => expect(closedToAirlines(body)).toBe(false))

  test.each([
    '',
    'RWY 04L/22R CLSD',
    'AD AP CLSD EXC PPR',
    'AD AP CLSD EXC 24HR PPR 702-555-0100',
    'AD AP CLSD EXC NON SKED ACFT',
    'AD AP CLSD EXC UNSCHEDULED FLIGHTS',
    'AD AP CLSD TO BLUE ACFT',
    'AD AP CLSD EXC',
    'AD AP CLSD WIP',
  ])('is null for %j', (body) => expect(closedToAirlines(body)).toBeNull())
})
