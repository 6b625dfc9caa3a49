import { describe, expect, it } from 'vitest'
import { agree, agreeOnIcao, isSameAirport, namesAgree } from '../../../config/airports/build/agreement.ts'
import type { Evidence } from '../../../config/airports/build/sources.ts'

const claim = (
  source: Evidence['source'],
  name: string,
  country: string,
  position: [number, number],
  more: Partial<Evidence> = {},
): Evidence =>
  Object.assign(
    { source, name, country, latitude: position[0], longitude: position[1], icao: null, since: null, town: false },
    more,
  )
const towns = { hasNamesake: () => false, isAbroad: () => false }
const BERLIN: [number, number] = [52.4, 13.5]
const PARIS: [number, number] = [49, 2.5]

describe('which sources mean one airport', () => {
  it('needs the same place, or one near with the same ICAO code or name', () => {
    const first = claim('OurAirports', 'Karshi Airport', 'UZ', [38.8, 65.77])
    expect(isSameAirport(first, claim('airportsdata', 'Any', 'UZ', [38.82, 65.8]))).toBe(true)
    expect(isSameAirport(first, claim('airportsdata', 'Karshi-Khanabad', 'UZ', [38.83, 65.92]))).toBe(true)
    expect(isSameAirport(first, claim('airportsdata', 'Other', 'UZ', [38.83, 65.92]))).toBe(false)
    expect(isSameAirport(first, claim('airportsdata', 'Karshi Airport', 'UZ', [39.5, 65.77]))).toBe(false)
    expect(namesAgree('Kogalym International Airport', 'Kogalymskiy')).toBe(true)
    expect(namesAgree('Baykit Airport', 'Bykovo Airport')).toBe(false)
  })

  it('believes most sources, and the correction before them', () => {
    const evidence = [
      claim('airport-data-js', 'Former', 'FR', PARIS),
      claim('airportsdata', 'Holder', 'DE', BERLIN),
      claim('OpenTravelData', 'Holder', 'DE', BERLIN),
    ]
    expect(agree(evidence, undefined, towns)).toMatchObject({
      rule: '2 sources against 1',
      members: [{ country: 'DE' }, {}],
    })
    expect(agree(evidence, 'airport-data-js', towns)).toMatchObject({ members: [{ country: 'FR' }] })
  })

  it('decides nothing between three places, or between two of one airport', () => {
    const three = [
      claim('airport-data-js', 'A', 'FR', PARIS),
      claim('airportsdata', 'B', 'DE', BERLIN),
      claim('OpenTravelData', 'C', 'LA', [20, 100]),
    ]
    expect(agree(three, undefined, towns)).toBeNull()
    const same = [claim('airport-data-js', 'Gora', 'PG', [-9, 148]), claim('OpenTravelData', 'Gora', 'PG', [-8, 147])]
    expect(agree(same, undefined, towns)).toBeNull()
    const near = { hasNamesake: ({ latitude }: Evidence) => latitude === -8, isAbroad: () => false }
    expect(agree(same, undefined, near)).toMatchObject({ members: [{ latitude: -8 }] })
  })

  it('takes a town as evidence for an airport there, never against one elsewhere', () => {
    const town = claim('OpenTravelData', 'Osage Beach', 'US', PARIS, { town: true })
    const base = claim('airport-data-js', 'Grand Glaize', 'US', PARIS)
    expect(agree([base, town], undefined, towns)).toMatchObject({ rule: 'the sources agree' })
    expect(agree([claim('airport-data-js', 'Grand Glaize', 'US', BERLIN), town], undefined, towns)).toMatchObject({
      members: [{ source: 'airport-data-js' }],
    })
  })
})

describe('the ICAO code', () => {
  const nobody = () => null
  it('has the letters of the country', () => {
    const members = [
      claim('airport-data-js', 'Tashkent', 'UZ', [41.3, 69.3], { icao: 'UTTT' }),
      claim('airportsdata', 'Tashkent', 'UZ', [41.3, 69.3], { icao: 'UZTT' }),
    ]
    expect(agreeOnIcao(members, 'UZ', nobody)).toEqual({
      icao: 'UZTT',
      rule: 'the only code that fits the country and the place',
    })
    expect(agreeOnIcao(members.slice(0, 1), 'UZ', nobody)).toMatchObject({ icao: null })
  })

  it('is dropped where another airport has it', () => {
    const members = [claim('airport-data-js', 'Baykit', 'RU', [61.7, 96.4], { icao: 'UUBB' })]
    const bykovo = claim('airportsdata', 'Bykovo', 'RU', [55.6, 38.1], { icao: 'UUBB' })
    expect(agreeOnIcao(members, 'RU', () => bykovo).icao).toBeNull()
  })
})
