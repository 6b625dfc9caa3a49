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
