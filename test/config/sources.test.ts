import { expect, test } from 'vitest'
import { parseEditedTable } from '../../config/project-text.ts'
import { allSources, Catalogue } from '../../config/sources.ts'
import { readCases } from '../values.ts'

const [first, second] = allSources()
const faultsOf = (text: string) => {
  try {
    parseEditedTable('config/sources.json', text, Catalogue)
    return null
  } catch (error) {
    expect(error).toMatchObject({ code: 'SETTINGS_INVALID' })
    return (error as Error).message
  }
}
const withChange = (change: object) => faultsOf(JSON.stringify([first, { ...second, ...change }]))

const { changes } = readCases<{ changes: [what: string, change: object, words: string][] }>('config/wrong-sources.json')

test.each(changes)('names the file, the source and the field of %s', (_, change, words) => {
  const message = withChange(change)
  expect(message).toMatch(new RegExp(`^config/sources.json: ${second!.id}: `))
  expect(message).toContain(words)
  expect(message).not.toContain('\n')
})

test('refuses a second source with an id, a source without one, and a file that is damaged', () => {
  expect(withChange({ id: first!.id })).toBe(`config/sources.json: ${first!.id}: id: another source has this id`)
  expect(withChange({ id: undefined })).toMatch(/^config\/sources.json: row 2: id: /)
  expect(faultsOf('[{},]')).toMatch(/^config\/sources.json: is not JSON: /)
})
