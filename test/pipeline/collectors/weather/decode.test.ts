import { describe, expect, it } from 'vitest'
import { decodeMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import { decodeTaf } from '../../../../pipeline/collectors/weather/taf.ts'
import { hasSamples, sample } from '../faa-and-weather.ts'

const near = new Date('2027-01-07T22:00:00Z')
const collected = (file: string): string[] =>
  JSON.parse(sample('metar-taf', file)).map(({ raw }: { raw: string }) => raw)

describe.skipIf(!hasSamples)('real reports (skipped where ../shared is absent)', () => {
  it('every collected observation is decoded', () => {
    const reports = collected('metar_strings.json').map((raw) => decodeMetar(raw, near))
    expect(reports).toHaveLength(319)
    expect(reports).not.toContain(null)
    expect(reports.filter((report) => report?.flight_category).length).toBeGreaterThan(270)
  })

  it('every collected forecast is decoded', () => {
    const texts = collected('taf_strings.json')
    expect(texts).toHaveLength(241)
    const undecoded = texts.filter((raw) => !decodeTaf(raw, near)?.periods.length)
    expect(undecoded.filter((raw) => !/ NIL/.test(raw))).toEqual([])
  })
})
