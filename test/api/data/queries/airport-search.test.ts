import { expect, test } from 'vitest'
import { airportsWithText, searchAirports } from '../../../../api/data/queries/airport-search.ts'
import { type Airport, airportDirectory } from '../../../../config/airports/directory.ts'

const textOf = ({ iata, name }: Airport) => `${iata} ${name}`.toLowerCase()

test('the trigram index returns every airport whose text contains a word, and few others', () => {
  const directory = { ...airportDirectory() }
  let returned = 0
  let matching = 0
  for (const [index, { name }] of directory.all.entries()) {
    if (index % 97 !== 0) continue
    const word = name.toLowerCase().slice(index % 5, (index % 5) + 3 + (index % 7))
    const candidates = airportsWithText(directory, word, textOf)
    const expected = directory.all.filter((airport) => textOf(airport).includes(word))
    expect(candidates, word).toEqual(expect.arrayContaining(expected.slice(0, 50)))
    returned += candidates.length
    matching += expected.length
  }
  expect(matching).toBeGreaterThan(100)
  expect(returned).toBeLessThan(20 * matching)
})

test('a search finds the words of a name in any order and at any position', () => {
  const codesFor = (query: string) => searchAirports(airportDirectory(), query).map(({ iata }) => iata)
  expect(codesFor('kennedy john')).toContain('JFK')
  expect(codesFor('ennedy   ew york')).toContain('JFK')
  expect(codesFor('é')).toEqual(codesFor('e'))
})
