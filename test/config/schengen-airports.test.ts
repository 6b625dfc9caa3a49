import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { borderDirection } from '../../config/border-direction.ts'
import { SCHENGEN_STATES } from '../../config/reference/schengen.ts'
import { isSchengenAirport, outsideSchengen, withoutEesText } from '../../config/reference/schengen-airports.ts'
import { TERRITORIES_OUTSIDE } from '../../config/reference/schengen-territories.ts'
import { testValues } from '../values.ts'

const airport = (iata: string) => airportDirectory().byIata.get(iata)!

testValues('config/schengen-airports.json', {
  isSchengenAirport: (iata: string) => isSchengenAirport(airport(iata)),
  outsideSchengen: (iata: string) => outsideSchengen(airport(iata)),
  withoutEesText: (iata: string) => withoutEesText(airport(iata)),
  borderDirection,
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
