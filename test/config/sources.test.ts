import { expect, test } from 'vitest'
import { parseEditedTable } from '../../config/project-text.ts'
import { allSources, Catalogue } from '../../config/sources.ts'

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

test.each<[string, object, string]>([
  ['a value of another type', { cadence_seconds: '300' }, 'cadence_seconds: '],
  ['a source that is asked too often', { cadence_seconds: 5 }, 'cadence_seconds: '],
  ['an unknown field', { cadence: 300 }, ': Unrecognized key: "cadence"'],
  ['an address that no browser opens', { page_url: 'javascript:alert(1)' }, 'page_url: must be a web address'],
  ['an address that cannot be fetched', { url: 'ftp://x.example/y' }, 'url: must be a web address'],
  ['no credit', { attribution: '' }, 'attribution: '],
  ['a code in small letters', { airports: ['ind'] }, 'airports: 0: must be three capital letters'],
])('names the file, the source and the field of %s', (_, change, words) => {
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
