import { expect, test } from 'vitest'
import { findAirport, unknownCode } from '../../../answers/questions/find-airport.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { METRO_CODES } from '../../../config/reference/metro-codes.ts'

test.each([
  ['two letters exchanged', 'JKF', ['JFK']],
  ['the same of an airport that is not large, beside large ones with one letter wrong', 'SFA', ['SEA', 'SFO', 'SHA']],
  ['one letter wrong', 'JFL', ['JFK']],
  ['one letter wrong, of a busy airport alone', 'LHT', ['LHR']],
  ['nothing near', 'QQQ', []],
  ['that of a railway station', 'XDB', ['LIL']],
  ['another code of an airport', 'MLH', ['BSL']],
  ['near a quiet airport alone', 'ZZZ', []],
  ['no code at all', 'JF', []],
])('an unknown code names the airports that may be meant: %s', (_kind, code, meant) => {
  const { message } = unknownCode(code, airportDirectory())
  expect([...message.matchAll(/\b([A-Z]{3}) \(/g)].map(([, iata]) => iata)).toEqual(meant)
  expect(message.endsWith('may be meant')).toBe(meant.length > 0)
})

test('a code of several airports of a city names those, and no code that is like it', () => {
  expect(unknownCode('NYC', airportDirectory())).toEqual({
    message: 'no airport has the IATA code NYC; it stands for all airports of New York: JFK, EWR, LGA, SWF',
    airport_named: true,
  })
})

test('the code of a city with one airport means that one', () => {
  const directory = airportDirectory()
  expect(findAirport('eap', { directory }).iata).toBe('BSL')
  expect(() => findAirport('NYC', { directory })).toThrow(/all airports of New York/)
})

test('no airport has an FAA id that is the code of a metropolitan area, and such a code names no other code of an airport', () => {
  const { byFaaId, byIata } = airportDirectory()
  for (const { metro, airports } of METRO_CODES.rows()) {
    if (!byIata.has(metro)) expect(byFaaId.get(metro)?.iata, metro).toBeUndefined()
    for (const { iata } of airports) expect(byIata.has(iata), `${metro}: ${iata}`).toBe(true)
  }
})
