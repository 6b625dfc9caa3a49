import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { projectFile } from '../../../config/paths.ts'
import { allSources } from '../../../config/sources.ts'
import { fixture, parseAs } from './context.ts'

const PAGES = readdirSync(projectFile('test', 'pipeline', 'collectors', 'fixtures')).filter((name) =>
  name.endsWith('.html'),
)
const firstWord = (name: string) => name.split(/[-.]/)[0]

/** The readings of a body as JSON lines; null where the body is rejected. */
function read(source: string, body: string, iata: string): string[] | null {
  try {
    return parseAs(source, body, iata).readings.map((row) => JSON.stringify(row))
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return null
  }
}

describe('a page that is cut off', () => {
  it.each(PAGES)('%s gives no reading that the whole page does not give', (name) => {
    const source = allSources().find(({ collector }) => firstWord(collector) === firstWord(name))
    const [iata = ''] = source?.airports ?? []
    const page = fixture(name)
    const whole = read(source?.id ?? '', page, iata)
    expect(whole?.length).toBeGreaterThan(0)
    for (let end = 0; end < page.length; end++)
      for (const line of read(source?.id ?? '', page.slice(0, end), iata) ?? [])
        expect(whole, `cut after ${end} characters: ${page.slice(0, end).slice(-30)}`).toContain(line)
  })
})
