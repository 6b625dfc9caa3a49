import { expect, test } from 'vitest'
import { type NameIndex, nameIndexOf, prepareNameIndex } from '../../../answers/search/name-index.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'

test('an index is made in slices, between which others run, and a search completes the rest at once', async () => {
  const directory = { ...airportDirectory() }
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const prepared = prepareNameIndex(directory)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(turns).toBeGreaterThan(0)
  const index = nameIndexOf(directory)
  await prepared
  clearInterval(counting)
  expect(nameIndexOf(directory)).toBe(index)
  const textsOf = ({ names }: NameIndex) => names.map(({ text }) => text)
  expect(textsOf(index)).toEqual(textsOf(nameIndexOf(airportDirectory())))
})
