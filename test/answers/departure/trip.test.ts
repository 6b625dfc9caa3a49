import { describe, expect, it, test } from 'vitest'
import { type TripInput, tripOf } from '../../../answers/departure/trip.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { AIRLINES } from '../../../config/reference/airlines.ts'
import { COUNTRIES } from '../../../config/reference/countries.ts'

const directory = airportDirectory()

const tripFrom = (iata: string, input: Partial<TripInput>) =>
  tripOf({ bags: false, lane: 'standard', ...input }, directory.byIata.get(iata)!, directory)

/** What a trip rests on, by the name of the assumption. */
const reasonOf = (iata: string, input: Partial<TripInput>, name: string) =>
  tripFrom(iata, input).assumptions.find((assumption) => assumption.name === name)?.source

test.each(['HHN', 'NRN', 'FMM', 'BVA', 'CIA', 'GRO'])(
  'most flights of a low-cost airport cross a border: %s',
  (iata) => {
    expect(tripFrom(iata, {})).toMatchObject({ international: true, maybe_other_way: true })
  },
)

describe('whether a flight without a destination crosses a border, by its airline', () => {
  test.each([
    ['DEL', 'BA142', true],
    ['BOM', 'Emirates', true],
    ['CGK', 'Singapore Airlines', true],
    ['JFK', 'Lufthansa', true],
    ['HNL', 'ANA', true],
    ['SJU', 'Iberia', true],
    ['MEX', 'United', true],
    ['PVG', 'Cathay Pacific', true],
    ['GRU', 'TAP', true],
    ['SYD', 'Air India', true],
    ['CTA', 'British Airways', true],
    ['JNB', 'Ethiopian', true],
    ['YVR', 'Delta', true],
  ])('%s with %s: one abroad for certain', (iata, airline, international) => {
    expect(tripFrom(iata, { airline })).toMatchObject({ international, maybe_other_way: false })
    expect(reasonOf(iata, { airline }, 'international')).toMatch(
      /^assumed: .* may not fly within .*; give international=/,
    )
  })

  test.each([
    ['an airline of the country', 'DEL', 'IndiGo'],
    ['an airline of the EU within it', 'CTA', 'Ryanair'],
    ['one of the EEA', 'CTA', 'Norwegian'],
    ['one of Switzerland', 'CTA', 'Edelweiss'],
    ['a British one in Guernsey', 'GCI', 'easyJet'],
    ['an Australian one in New Zealand', 'AKL', 'Jetstar'],
    ['a French one in Guadeloupe', 'PTP', 'Air France'],
    ['a US one in Guam', 'GUM', 'United'],
    ['a US one in Micronesia', 'PNI', 'United'],
    ['a brand with an airline of the country', 'DMK', 'AirAsia'],
    ['an airline that is not known', 'DEL', 'XX'],
    ['no airline', 'DEL', undefined],
  ])('%s changes nothing', (_title, iata, airline) => {
    const without = tripFrom(iata, {})
    expect(tripFrom(iata, { airline })).toMatchObject({ international: without.international, maybe_other_way: true })
    expect(reasonOf(iata, { airline }, 'international')).toBe(reasonOf(iata, {}, 'international'))
  })

  it('gives way to the destination and to the caller', () => {
    expect(tripFrom('DEL', { airline: 'BA', destination: 'BOM' }).international).toBe(false)
    expect(tripFrom('DEL', { airline: 'IndiGo', destination: 'LHR' }).international).toBe(true)
    expect(tripFrom('DEL', { airline: 'BA', international: false }).international).toBe(false)
  })

  it('is certain where no other airport of the country has flights, and for the caller who says otherwise', () => {
    for (const iata of ['MLA', 'LUX', 'BDA', 'BAH', 'SIN', 'DXB', 'AMS', 'BRU'])
      expect(tripFrom(iata, {})).toMatchObject({ international: true, maybe_other_way: false })
    expect(reasonOf('MLA', {}, 'international')).toBe('MLA is the only airport of Malta with scheduled flights')
    expect(tripFrom('MLA', { international: false }).international).toBe(false)
  })

  it('checks no passports on the way out of the islands of the Common Travel Area', () => {
    for (const iata of ['IOM', 'JER', 'GCI']) expect(tripFrom(iata, {}).exit_control).toBe(false)
    expect(tripFrom('JER', { destination: 'PMI' }).exit_control).toBe(true)
  })

  it('is by countries that have a code and a name', () => {
    const known = new Set(COUNTRIES.rows().map(({ code }) => code))
    expect(AIRLINES.rows().flatMap(({ countries }) => countries.filter((code) => !known.has(code)))).toEqual([])
  })
})

describe('preclearance of a flight without a destination', () => {
  it('is assumed with an airline of the US, whose flights from there go home', () => {
    for (const [iata, airline] of [
      ['DUB', 'Delta'],
      ['BDA', 'AA'],
      ['NAS', 'JetBlue'],
      ['YYZ', 'UA 123'],
    ] as const)
      expect(tripFrom(iata, { airline })).toMatchObject({ preclearance: true, maybe_preclearance: false })
    expect(reasonOf('DUB', { airline: 'Delta' }, 'preclearance')).toMatch(
      /^assumed: flights of Delta Air Lines from DUB go there; give destination or preclearance=false/,
    )
  })

  it('may be with any other airline, unless the caller says where the flight goes', () => {
    expect(tripFrom('DUB', { airline: 'Aer Lingus' })).toMatchObject({ preclearance: false, maybe_preclearance: true })
    expect(tripFrom('DUB', { airline: 'Delta', preclearance: false })).toMatchObject({ preclearance: false })
    expect(tripFrom('DUB', { airline: 'Delta', destination: 'LHR' })).toMatchObject({ preclearance: false })
  })
})
