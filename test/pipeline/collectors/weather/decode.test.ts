import { describe, expect, it } from 'vitest'
import { decodeMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import { decodeTaf } from '../../../../pipeline/collectors/weather/taf.ts'
import { hasSamples, sample } from '../faa-and-weather.ts'

const near = new Date('2027-01-07T22:00:00Z')

describe('decodeMetar', () => {
  it('converts units, dates the report and reads vertical visibility as a ceiling', () => {
    expect(decodeMetar('METAR ULLI 072130Z 24006G12MPS 0400 +SHSN FG VV002 M02/M03 Q0996', near)).toEqual({
      icao: 'ULLI',
      observed_at: '2027-01-07T21:30:00Z',
      wind_direction_deg: 240,
      wind_kt: 11.7,
      wind_gust_kt: 23.3,
      visibility_sm: 0.25,
      visibility_bound: null,
      ceiling_ft: 200,
      ceiling_known: true,
      weather: '+SHSN FG',
      flight_category: 'LIFR',
      temperature_c: -2,
      dewpoint_c: -3,
      altimeter_hpa: 996,
      unknown: [],
    })
  })

  it('is null for fields that the report leaves out', () => {
    expect(decodeMetar('METAR KJFK 072151Z VRB04KT 1 1/2SM BKN/// A2992', near)).toMatchObject({
      wind_direction_deg: null,
      wind_kt: 4,
      visibility_sm: 1.5,
      ceiling_ft: null,
      temperature_c: null,
      altimeter_hpa: 1013.2,
    })
  })

  it('dates a report of the last day of a month in the month before', () => {
    expect(decodeMetar('METAR KJFK 312351Z 00000KT 10SM CLR', new Date('2027-02-01T00:05:00Z'))?.observed_at).toBe(
      '2027-01-31T23:51:00Z',
    )
  })

  it.each(['', 'x', 'no report at all', '<html></html>'])('does not decode %j', (raw) => {
    const decoded = decodeMetar(raw, near)
    expect(decoded === null || decoded.observed_at === null).toBe(true)
  })

  it.skipIf(!hasSamples)('decodes every collected report', () => {
    const texts: { raw: string }[] = JSON.parse(sample('metar-taf', 'metar_strings.json'))
    expect(texts).toHaveLength(319)
    expect(texts.filter(({ raw }) => decodeMetar(raw, near) === null)).toEqual([])
    const readable = texts.map(({ raw }) => decodeMetar(raw, near)).filter((report) => report?.flight_category)
    expect(readable.length).toBeGreaterThan(270)
  })
})

describe('decodeTaf', () => {
  it('gives a period for each group', () => {
    const raw =
      'TAF KMSN 072325Z 0800/0824 25014G30KT P6SM BKN070 PROB30 0800/0802 2SM -SHSN BKN008 FM080600 VRB03KT P6SM SKC'
    const decoded = decodeTaf(raw, near)
    expect(decoded).toMatchObject({ icao: 'KMSN', issued_at: '2027-01-07T23:25:00Z' })
    expect(decoded?.periods.map((each) => [each.change, each.probability, each.period_from, each.period_to])).toEqual([
      [null, null, '2027-01-08T00:00:00Z', '2027-01-08T06:00:00Z'],
      ['PROB', 30, '2027-01-08T00:00:00Z', '2027-01-08T02:00:00Z'],
      ['FM', null, '2027-01-08T06:00:00Z', '2027-01-09T00:00:00Z'],
    ])
    expect(decoded?.periods[1]).toMatchObject({
      ceiling_ft: 800,
      visibility_sm: 2,
      flight_category: 'IFR',
      weather: '-SHSN',
    })
  })

  it('reads a group whose only visibility has a direction', () => {
    const decoded = decodeTaf('TAF SLLP 072100Z 0721/0821 15013KT 9999 FEW020 TEMPO 0800/0804 3000E BR', near)
    expect(decoded?.periods.map((period) => period.change)).toEqual([null, 'TEMPO'])
    expect(decoded?.periods[1]?.visibility_sm).toBeNull()
  })

  it('has no probability where the text is garbled', () => {
    const decoded = decodeTaf('TAF KMSN 072325Z 0800/0824 25014KT P6SM BKN070 PROB:30 0800/0802 2SM -SHSN', near)
    expect(decoded?.periods[1]).toMatchObject({ change: 'PROB', probability: null })
  })

  it('returns null for a text that is not a forecast', () => expect(decodeTaf('TAF', near)).toBeNull())

  it.skipIf(!hasSamples)('decodes every collected forecast', () => {
    const texts: { raw: string }[] = JSON.parse(sample('metar-taf', 'taf_strings.json'))
    expect(texts).toHaveLength(241)
    const undecoded = texts.filter(({ raw }) => !decodeTaf(raw, near)?.periods.length)
    expect(undecoded.filter(({ raw }) => !/ NIL/.test(raw))).toEqual([])
  })
})
