import { expect, test } from 'vitest'
import { searchAirports } from '../../../../api/data/queries/airport-search.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'

const codesFor = (query: string) => searchAirports(airportDirectory(), query).map(({ iata }) => iata)

test('a search finds the words of a name in any order, without accents and with a word begun', () => {
  expect(codesFor('kennedy john')).toContain('JFK')
  expect(codesFor('new york   kenn')[0]).toBe('JFK')
  expect(codesFor('sao paulo')).toEqual(codesFor('São Paulo'))
})
