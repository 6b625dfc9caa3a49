import { expect, test } from 'vitest'
import { searchAirports } from '../../../../api/data/queries/airport-search.ts'
import { airportsLike } from '../../../../api/data/queries/airport-texts.ts'
import { type Airport, airportDirectory } from '../../../../config/airports/directory.ts'

const textOf = ({ iata, name }: Airport) => `${iata} ${name}`.toLowerCase()

test('of the airports that have a word somewhere none is left out, and few others are looked at', () => {
  const directory = { ...airportDirectory() }
  let [looked, having] = [0, 0]
  for (const [place, { name }] of directory.all.entries()) {
    if (place % 97 !== 0) continue
    const word = name.toLowerCase().slice(place % 5, (place % 5) + 3 + (place % 7))
    const like = airportsLike(directory, word, textOf)
    const wanted = directory.all.filter((airport) => textOf(airport).includes(word))
    expect(like, word).toEqual(expect.arrayContaining(wanted.slice(0, 50)))
    looked += like.length
    having += wanted.length
  }
  expect(having).toBeGreaterThan(100)
  expect(looked).toBeLessThan(20 * having)
})

test('a search finds the words of a name in any order, wherever they stand', () => {
  const found = (query: string) => searchAirports(airportDirectory(), query).map(({ iata }) => iata)
  expect(found('kennedy john')).toContain('JFK')
  expect(found('ennedy   ew york')).toContain('JFK')
  expect(found('é')).toEqual(found('e'))
})
