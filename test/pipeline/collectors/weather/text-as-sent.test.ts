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

test.each<[string, ReturnType<typeof metar> | ReturnType<typeof taf>]>([
  ['a METAR of another station', metar('METAR KJFK 250353Z 21009KT 10SM CLR 20/18 A2987')],
  [
    'a METAR of yesterday',
    metar('METAR CYVR 240353Z 21009KT 10SM CLR 20/18 A2987', { obsTime: near.getTime() / 1_000 }),
  ],
  ['a TAF of another station', taf('TAF KORD 250000Z 2500/2524 21009KT 9999 SKC')],
  ['a TAF of yesterday', taf('TAF ESSA 240000Z 2400/2424 21009KT 9999 SKC', { issueTime: '2026-11-25T00:00:00Z' })],
])('leaves out %s, whatever its row says', (_, { readings, notices }) => {
  expect(readings).toEqual([])
  expect(notices.map(({ code }) => code)).toEqual(['report_differs_from_row'])
})

test('reads no figure that no instrument ever showed, and no period that ends before it begins', () => {
  const impossible = { temp: 2_000, dewp: -273, altim: 0, wspd: 999, wgst: -1, wdir: 720, visib: -1 }
  const { readings, notices } = metar('METAR CYVR 250353Z 21009KT 10SM CLR 20/18 A2987', impossible)
  expect(readings).toMatchObject([
    {
      temperature_c: null,
      dewpoint_c: null,
      altimeter_hpa: null,
      wind_kt: null,
      wind_gust_kt: null,
      wind_direction_deg: null,
      visibility_sm: 10,
    },
  ])
  expect(notices.filter(({ code }) => code === 'value_unreadable')).toHaveLength(Object.keys(impossible).length)
  const period = { timeFrom: near.getTime() / 1_000, fcstChange: null, probability: null }
  const fcsts = [
    { ...period, timeTo: period.timeFrom - 3_600 },
    { ...period, timeTo: period.timeFrom + 3_600 },
  ]
  const forecast = taf('TAF ESSA 250330Z 2504/2604 21009KT 9999 SKC', { fcsts })
  expect(forecast.readings).toHaveLength(1)
  expect(forecast.notices.map(({ code }) => code)).toEqual(['period_without_time'])
})

test.each(['2504/2528', '2504/', '2504/3204'])(
  'reads the other forecasts beside one that is valid for %s',
  (validity) => {
    const [unknown, sound] = [
      `TAF ESSA 250330Z ${validity} 21009KT 9999 SKC`,
      'TAF ESGG 250330Z 2504/2604 21009KT 9999 SKC',
    ]
    const rows = [unknown, sound].map((rawTAF) => ({ icaoId: rawTAF.slice(4, 8), rawTAF }))
    const { readings, notices } = awcTaf.parse(JSON.stringify(rows), context)
    expect(readings.map(({ icao }) => icao)).toEqual(['ESGG'])
    expect(notices.map(({ code }) => code)).toEqual(['row_without_time'])
  },
)

test('a further period whose end is no instant makes the category of all unknown', () => {
  const { readings } = taf('TAF ESSA 250330Z 2504/2604 21009KT 9999 SKC 2506/2530 0300 FG VV001')
  expect(readings.map(({ period_from, flight_category }) => [hours(period_from), flight_category])).toEqual([
    ['25T04', null],
  ])
})
