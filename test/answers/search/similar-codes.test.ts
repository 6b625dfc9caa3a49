import { expect, test } from 'vitest'
import { unknownCode } from '../../../answers/questions/find-airport.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'

test.each([
  ['two letters exchanged', 'JKF', ['JFK']],
  ['the same of an airport that is not large, beside large ones with one letter wrong', 'SFA', ['SEA', 'SFO', 'SHA']],
  ['one letter wrong', 'JFL', ['JFK']],
  ['one letter wrong, of a busy airport alone', 'LHT', ['LHR']],
  ['nothing near', 'QQQ', []],
  ['that of a railway station', 'XDB', ['LIL']],
  ['near a quiet airport alone', 'ZZZ', []],
  ['no code at all', 'JF', []],
])('an unknown code names the airports that may be meant: %s', (_kind, code, meant) => {
  const text = unknownCode(code, airportDirectory())
  expect([...text.matchAll(/\b([A-Z]{3}) \(/g)].map(([, iata]) => iata)).toEqual(meant)
  expect(text.endsWith('may be meant')).toBe(meant.length > 0)
})

test('a code of several airports of a city names those, and no code that is like it', () => {
  expect(unknownCode('NYC', airportDirectory())).toMatch(/it stands for all airports of New York: JFK, EWR, LGA, SWF$/)
})
