import { describe, expect, test } from 'vitest'
import { closedToAirlines } from '../../../../pipeline/collectors/faa/closure.ts'

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
  ])('%s: yes', (body) => expect(closedToAirlines(body)).toBe(true))

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
  ])('%s: no', (body) => expect(closedToAirlines(body)).toBe(false))

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
  ])('%j: not told', (body) => expect(closedToAirlines(body)).toBeNull())
})
