import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { borderDirection } from '../../config/border-direction.ts'
import { SCHENGEN_STATES } from '../../config/reference/schengen.ts'
import { isSchengenAirport, outsideSchengen, withoutEesText } from '../../config/reference/schengen-airports.ts'
import { TERRITORIES_OUTSIDE } from '../../config/reference/schengen-territories.ts'

const airport = (iata: string) => airportDirectory().byIata.get(iata)!

test('airports on the mainland, the Canaries, the Azores and Madeira are inside the area', () => {
  for (const iata of ['ZRH', 'GVA', 'BSL', 'CDG', 'OTP', 'SOF', 'ZAG', 'KEF', 'OSL', 'TFS', 'LPA', 'PDL', 'FNC'])
    expect(outsideSchengen(airport(iata)), iata).toBeNull()
})

test('airports in territories outside the area are outside, with a shared or their own country code', () => {
  const outside = [
    'LYR',
    'SYG',
    'GOH',
    'SFJ',
    'FAE',
    'CAY',
    'PTP',
    'FDF',
    'RUN',
    'DZA',
    'FSP',
    'SBH',
    'PPT',
    'NOU',
    'AUA',
    'CUR',
    'SXM',
    'BON',
  ]
  for (const iata of outside) expect(isSchengenAirport(airport(iata)), iata).toBe(false)
  expect(outsideSchengen(airport('FAE'))).toBe('The Faroe Islands are outside the Schengen area.')
  expect(outsideSchengen(airport('LYR'))).toBe('Svalbard is outside the Schengen area.')
})

test('airports of EU states that are not members and of other states are outside', () => {
  for (const iata of ['DUB', 'LCA', 'LHR', 'JFK', 'IST', 'GIB'])
    expect(isSchengenAirport(airport(iata)), iata).toBe(false)
  expect(outsideSchengen(airport('LCA'))).toBe('Cyprus is not in the Schengen area.')
  expect(outsideSchengen(airport('LHR'))).toBe('The United Kingdom is not in the Schengen area.')
})

test('no airport inside the area lies overseas', () => {
  const states = SCHENGEN_STATES.rows().filter(({ member }) => member)
  expect(states).toHaveLength(29)
  for (const { iata, latitude, longitude } of airportDirectory().all.filter(isSchengenAirport)) {
    expect(latitude, iata).toBeGreaterThan(27)
    expect(latitude, iata).toBeLessThan(72)
    expect(longitude, iata).toBeGreaterThan(-32)
    expect(longitude, iata).toBeLessThan(32)
  }
})

test('every territory has a source, and a date or a caution', () => {
  for (const { code, name, source, as_of, caution } of TERRITORIES_OUTSIDE) {
    expect(name, code).toMatch(/\S/)
    expect(source, code).toMatch(/^https?:/)
    expect(as_of !== null || caution !== null, code).toBe(true)
  }
})

test.each([
  ['', 'Arrival E', 'entry'],
  ['', 'Departure D', 'exit'],
  ['Arrivals', '', 'entry'],
  ['T1', 'Ausreise', 'exit'],
  ['T1', 'Entrée Schengen', 'entry'],
  ['Terminal 2', 'Passport control', 'unknown'],
  ['', 'Arrivals and departures', 'unknown'],
  ['', '', 'unknown'],
  ['', 'Centralhall', 'unknown'],
])('borderDirection("%s", "%s") is %s', (terminal, checkpoint, direction) => {
  expect(borderDirection(terminal, checkpoint)).toBe(direction)
})

test('says who checks the border of Gibraltar, and that others have no Entry/Exit System', () => {
  expect(withoutEesText(airport('GIB'))).toMatch(
    /not in the Schengen area\. Gibraltar: since 15 July 2026 Spain checks/,
  )
  expect(withoutEesText(airport('LHR'))).toMatch(/The Entry\/Exit System is not used here\.$/)
  expect(withoutEesText(airport('FRA'))).toBeNull()
})
