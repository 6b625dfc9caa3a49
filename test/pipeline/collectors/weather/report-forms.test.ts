import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isNilReport } from '../../../../pipeline/collectors/weather/header.ts'
import { type DecodedMetar, decodeMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import { decodeTaf } from '../../../../pipeline/collectors/weather/taf.ts'
import { repetitions } from '../../../exhaustive.ts'

const near = new Date('2027-01-10T10:30:00Z')
const decode = (body: string, header = 'METAR ZZZZ 101000Z') => decodeMetar(`${header} ${body}`, near) as DecodedMetar

/** Groups that may follow an observation: ICAO Annex 3, WMO 306 and national practice. None belongs to the observation. */
const TRENDS = [
  'NOSIG',
  'BECMG 24020G45KT 0400 FG VV001',
  'BECMG FM1030 TL1130 30018G30KT 0800 SHSN OVC003',
  'BECMG AT1200 9999 NSW',
  'BECMG TL1200 OVC002',
  'TEMPO 3000 TSRA BKN005CB',
  'TEMPO FM1030 TL1130 0300 FG VV///',
  'TEMPO FM 1300 32030G40KT 1500 SA',
  'TEMPO 1015/1020 NSW',
  'PROB30 0200 FZFG VV001',
  'PROB40 TEMPO 1012/1014 35040G60KT',
  'INTER 1006/1009 30018G30KT 2000 SHRA BKN008',
  'FM1200 28015G30KT 0500 FG OVC002',
  'FM101200 28015G30KT 0500 FG OVC002 M02/M03',
  'FM1200 24020G35KT 9999 -SHRA BKN010 FM1500 VRB03KT CAVOK',
  'TTF: FM1100 20020G35KT 2000 SHRA BKN006',
  'TREND 20020G35KT 0700 FG',
  'GRADU 1112 0500 FG',
  'RAPID 20040G60KT',
  'RMK SF5NS3 SLP134 VIS W 1/4',
  'RMK AO2 PK WND 24061/0952 CIG 002V006 VIS M1/4V2 T10071007 SLP213',
  'RMK QFE741/0988 QBB060 MT OBSC R14R/590335',
  'RMK 1ST006 3CU015 A2981 CB 25KM E MOV NE',
  'BLU 25058KT 0200 FG OVC001',
  'BLACKYLO2 TEMPO 0500 OVC001 RED',
  'AMB TEMPO 1500 -SN BKN004',
  'R24/CLRD70 R88/60D R/SNOCLO',
  'WS R03 WS ALL RWY',
  'W12/S4 W///H23',
  'REFZRA RETS RE//',
  'RF00.2/011.2',
  '$',
  '= STRAY TEXT 0400 OVC001 M30/M31',
  'NOSTEND',
  'METAR YYYY 101030Z 35040G60KT 0100 FG VV000 M40/M41 Q0950',
]

const BODIES = [
  '25015KT 9999 FEW030 18/12 Q1018',
  'AUTO 00000KT //// // ////// 08/05 Q1022',
  'VRB02KT CAVOK M01/M03 Q1031',
  '33010G22KT 10SM BKN033 OVC250 12/06 A3018',
  '21002MPS 160V230 7000 0800NE PRFG NSC 11/09 Q1019',
  'AUTO 19012KT 9999NDV SCT012/// BKN017/// 13/11 Q1000',
  '00000KT M1/4SM R35/3500VP6000FT/D FG VV001 00/M00 A2939',
  '34028KT 1 1/2SM -SN BLSN OVC008 M03/M04 A2935',
  '09008KT 20KM HZ NCD M62/ Q////',
]

describe('a trend or remark never changes the observation', () => {
  const trends = fc.array(fc.constantFrom(...TRENDS), { minLength: 1, maxLength: 4 })
  test('for any observation, followed by any trends', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BODIES), trends, (body, added) => {
        expect(decode(`${body} ${added.join(' ')}`)).toEqual(decode(body))
      }),
      { numRuns: repetitions(400, 5_000) },
    )
  })

  test.each(TRENDS.filter((trend) => !/^(R\d|WS|W1|RE|RF|\$)/.test(trend)))(
    'also when the altimeter setting before it is missing: %s',
    (trend) => {
      const body = '25015KT 9999 FEW030 18/12 M'
      expect(decode(`${body} ${trend}`)).toEqual(decode(body))
    },
  )
})

describe('forms of the other groups', () => {
  it('reads a wind that follows the time without a space', () =>
    expect(decodeMetar('SECU 101200Z 101200Z18002KT Q1027', near)).toMatchObject({ wind_kt: 2, altimeter_hpa: 1027 }))

  it('tells a report without an observation', () => {
    expect(isNilReport('SVMC 211703Z AUTO NIL')).toBe(true)
    expect(isNilReport('METAR ZZZZ 101000Z NIL=')).toBe(true)
    expect(isNilReport('METAR ZZZZ 101000Z 25015KT 9999 NSC 18/12 Q1018 RMK CIG NIL')).toBe(false)
  })
})

describe('forms of a TAF', () => {
  const periods = (text: string, issued = near) => decodeTaf(text, issued)?.periods ?? null
  const bounds = (text: string, issued = near) =>
    periods(text, issued)?.map(({ change, period_from, period_to }) => [change, period_from, period_to])

  it('passes the end of a month, the hour 24 and minutes of FM', () => {
    expect(
      bounds('TAF ZZZZ 301720Z 3018/3124 00000KT CAVOK FM311130 00000KT CAVOK', new Date('2026-12-30T17:20:00Z')),
    ).toEqual([
      [null, '2026-12-30T18:00:00Z', '2026-12-31T11:30:00Z'],
      ['FM', '2026-12-31T11:30:00Z', '2027-01-01T00:00:00Z'],
    ])
    expect(
      bounds('TAF ZZZZ 281720Z 2818/0124 00000KT CAVOK TEMPO 0100/0102 0200 FG', new Date('2027-02-28T17:20:00Z')),
    ).toEqual([
      [null, '2027-02-28T18:00:00Z', '2027-03-02T00:00:00Z'],
      ['TEMPO', '2027-03-01T00:00:00Z', '2027-03-01T02:00:00Z'],
    ])
  })

  it('keeps wind shear, temperatures, icing and remarks out of wind, visibility and cloud', () => {
    const text =
      'TAF ZZZZ 101100Z 1012/1112 09008KT 9999 SCT030 WS015/20055KT 620304 530009 QNH2941INS TX09/1015Z TNM02/1106Z RMK FCST 0400 OVC001 NXT FCST BY 101800Z'
    expect(periods(text)).toMatchObject([
      { wind_kt: 8, visibility_sm: 6.21, ceiling_ft: null, ceiling_known: true, flight_category: 'VFR' },
    ])
    expect(
      periods('TAF ZZZZ 101100Z 1012/1112 09008KT 9999 SCT030 AMD NOT SKED 1012 LAST NO AMDS AFT 2322'),
    ).toHaveLength(1)
  })

  it('holds PROB, PROB with TEMPO, and INTER with their probability', () => {
    const text =
      'TAF ZZZZ 101100Z 1012/1112 25015KT 9999 NSC PROB30 1014/1016 0800 FG PROB40 TEMPO 1016/1018 TSRA BKN008CB PROB30 INTER 1018/1020 2000 SHRA INTER 1020/1022 3000'
    expect(periods(text)?.map(({ change, probability }) => [change, probability])).toEqual([
      [null, null],
      ['PROB', 30],
      ['TEMPO', 40],
      ['INTER', 30],
      ['INTER', null],
    ])
  })

  it('gives a change group the category that its part makes of what prevails', () => {
    const text =
      'TAF ZZZZ 101100Z 1012/1112 25015KT 3000 BR OVC003 TEMPO 1012/1014 8000 BECMG 1014/1016 9999 NSW BECMG 1018/1020 FEW030 FM110000 25010KT 9999 PROB30 1102/1104 BKN008'
    expect(periods(text)?.map(({ flight_category }) => flight_category)).toEqual([
      'LIFR',
      'LIFR',
      'LIFR',
      'VFR',
      null,
      'IFR',
    ])
  })

  it('lets what is listed last hold for its time (Australia)', () => {
    const text =
      'TAF YSSY 101100Z 1012/1112 25015KT 0400 FG OVC002 FM101600 25015KT 9999 NSC TEMPO 1012/1014 3000 BR TEMPO 1018/1020 5000 SHRA'
    expect(periods(text)?.map(({ flight_category }) => flight_category)).toEqual(['LIFR', 'VFR', 'LIFR', 'MVFR'])
  })

  it('leaves out a group whose period cannot be read or lies outside the forecast', () => {
    expect(bounds('TAF ZZZZ 101100Z 1012/1112 25015KT 9999 NSC TEMPO 0500 FG PROB30 PROB30 0517/0518 0400 FG')).toEqual(
      [[null, '2027-01-10T12:00:00Z', '2027-01-11T12:00:00Z']],
    )
  })

  it('states nothing when the forecast is cancelled, and is none when it is nil', () => {
    expect(periods('TAF AMD ZZZZ 101100Z 1012/1112 CNL=')).toMatchObject([
      { wind_kt: null, visibility_sm: null, ceiling_known: false, flight_category: null },
    ])
    expect(periods('TAF AMD ZZZZ 101100Z NIL=')).toBeNull()
    expect(periods('TAF ZZZZ 101100Z 1012/1112 NIL=')).toBeNull()
  })
})
