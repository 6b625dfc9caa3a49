import { describe, expect, it, test } from 'vitest'
import { awcMetar, decodeMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import { awcTaf, decodeTaf } from '../../../../pipeline/collectors/weather/taf.ts'
import { reported } from '../../../reported.ts'
import { expectLandable } from '../context.ts'
import { contextAt } from '../faa-and-weather.ts'

const context = contextAt('2026-11-25T04:00:00Z')
const near = new Date('2026-11-25T04:00:00Z')

const taf = (rawTAF: string, more: object = {}) =>
  awcTaf.parse(JSON.stringify([{ icaoId: 'ESSA', rawTAF, ...more }]), context)
const metar = (rawOb: string, more: object = {}) =>
  awcMetar.parse(JSON.stringify([{ icaoId: 'CYVR', rawOb, ...more }]), context)

const hours = (instant: string) => instant.slice(8, 13)
const short = (row: ReturnType<typeof taf>['readings'][number]) =>
  [
    row.change,
    hours(row.period_from),
    hours(row.period_to),
    row.visibility_sm,
    row.weather,
    row.flight_category,
  ] as const

describe('the reported texts', () => {
  it('further periods without a change word', () => {
    const parsed = awcTaf.parse(reported('taf-periods.json'), context)
    expectLandable('tafs', parsed)
    expect(parsed.notices).toEqual([])
    expect(parsed.readings.map(short)).toEqual([
      [null, '25T00', '25T06', 6.21, null, 'MVFR'],
      ['PROB', '25T00', '25T06', 2.17, 'BR', 'IFR'],
      [null, '25T06', '25T18', 0.25, 'FZFG', 'LIFR'],
      [null, '25T18', '25T21', 1.74, 'BR', 'IFR'],
      [null, '25T21', '26T00', 6.21, null, 'MVFR'],
    ])
    expect(parsed.readings.map(({ ceiling_ft }) => ceiling_ft)).toEqual([2_800, 500, 100, null, 1_200])
  })

  it('a change word that has lost its space', () => {
    const { readings, notices } = awcTaf.parse(reported('taf-glued.json'), context)
    expect(notices).toEqual([])
    expect(readings.map(short)).toEqual([
      [null, '25T00', '25T06', 1.99, 'BR', 'IFR'],
      ['TEMPO', '25T00', '25T06', 0.93, '-SHRA', 'LIFR'],
      ['BECMG', '25T06', '26T00', 0.5, 'FG', 'LIFR'],
    ])
  })

  it('a minus sign', () => {
    const { readings, notices } = awcMetar.parse(reported('metar-minus.json'), context)
    expect([notices, readings[0]!.weather]).toEqual([[], '-RA BR'])
  })

  it('what was right stays so', () => {
    const { readings, notices } = awcMetar.parse(reported('metar-sound.json'), context)
    expect(notices).toEqual([])
    const read = readings.map((row) => [row.icao, row.visibility_sm, row.ceiling_known, row.flight_category])
    expect(read).toEqual([
      ['KGYR', null, true, null],
      ['ESSA', 6.21, true, 'VFR'],
      ['LTFE', 0.75, true, 'LIFR'],
    ])
  })
})

test.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\uFE63', '\uFF0D'])(
  'the sign U+%# before a weather group is its minus',
  (minus) => {
    const { readings, notices } = metar(`METAR CYVR 250300Z 11006KT 2SM ${minus}RA ${minus}SN BR OVC009 07/06 A2988`)
    expect([notices, readings[0]!.weather, readings[0]!.flight_category]).toEqual([[], '-RA -SN BR', 'IFR'])
    expect(decodeTaf(`TAF ESSA 242330Z 2500/2524 VRB03KT 4000 ${minus}DZ OVC004`, near)!.periods[0]!.weather).toBe(
      '-DZ',
    )
  },
)

describe('a group that nobody understands', () => {
  it('in an observation is a notice and leaves its flight category unknown, whatever the payload says', () => {
    const { readings, notices } = metar('METAR CYVR 250300Z 11006KT 9999 FGG0X FEW040 07/06 Q1010', {
      visib: '6+',
      clouds: [{ cover: 'FEW', base: 4_000 }],
    })
    expect(readings[0]).toMatchObject({ flight_category: null, wind_kt: 6, temperature_c: 7 })
    expect(notices.map(({ code, value }) => [code, value])).toEqual([['report_group_unknown', 'FGG0X']])
  })

  it('in a trend or in remarks is not looked at', () => {
    for (const end of ['TEMPO FGG0X', 'NOSIG XYZ', 'RMK FOG BANK E', 'BECMG 0X00'])
      expect(decodeMetar(`METAR CYVR 250300Z 11006KT 9999 FEW040 07/06 Q1010 ${end}`, near)).toMatchObject({
        flight_category: 'VFR',
        unknown: [],
      })
    expect(taf('TAF ESSA 242330Z 2500/2524 VRB03KT 9999 FEW040 RMK NXT FCST BY 06Z').notices).toEqual([])
  })

  it('in a period of a forecast leaves this one unknown, and what continues from it', () => {
    const { readings, notices } = taf(
      'TAF ESSA 242330Z 2500/2524 VRB03KT 9999 FEW040 TEMPO 2502/2504 9O00 RAX BECMG 2506/2508 0X00 FG BECMG 2510/2511 18010KT FM251500 18010KT 9999 SCT030',
    )
    expect(readings.map(({ change, flight_category }) => [change, flight_category])).toEqual([
      [null, 'VFR'],
      ['TEMPO', null],
      ['BECMG', null],
      ['BECMG', null],
      ['FM', 'VFR'],
    ])
    expect(notices.map(({ code, value }) => [code, value])).toEqual([['report_group_unknown', '9O00 RAX 0X00']])
  })

  test.each([
    'BECMG 25O6/2508 0800 FG',
    'TEMPO 0800 FG',
    'BECMG 2506 0800 FG',
    'PROB 40 2506/2508 0800 FG',
    'FM25120O 0800 FG',
  ])('as the head of a change leaves the forecast unknown: %s', (change) => {
    const { readings, notices } = taf(`TAF ESSA 242330Z 2500/2524 VRB03KT 9999 FEW040 ${change}`)
    expect(readings[0]!.flight_category).toBeNull()
    expect(readings.map(({ weather }) => weather)).not.toContain('BR FG')
    expect(notices.map(({ code }) => code)).toEqual(['report_group_unknown'])
  })
})

test('further periods come from the text also where the payload lists its own', () => {
  const first = { timeFrom: 1_795_564_800, timeTo: 1_795_651_200, fcstChange: null, visib: '6+', clouds: [] }
  const { readings } = taf('TAF ESSA 242330Z 2500/2524 VRB03KT 9999 SCT040 2506/2512 0400 FG VV001', { fcsts: [first] })
  expect(readings.map(short)).toEqual([
    [null, '25T00', '25T06', 6.21, null, 'VFR'],
    [null, '25T06', '25T12', 0.25, 'FG', 'LIFR'],
  ])
})
