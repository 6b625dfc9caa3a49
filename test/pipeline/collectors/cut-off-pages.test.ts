import { expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { parseAs } from './context.ts'
import { PAYLOAD_CASES } from './payload-cases.ts'

const PAGES = PAYLOAD_CASES.filter(([, name]) => name.endsWith('.html'))

/** The readings of a body as JSON lines; null where the body is rejected. */
function read(source: string, body: string, iata: string | null): string[] | null {
  try {
    return parseAs(source, body, iata).readings.map((row) => JSON.stringify(row))
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return null
  }
}

it.each(PAGES)(
  'a page that is cut off: %s gives no reading that the whole page does not give',
  (source, _name, iata, page) => {
    const whole = read(source, page, iata)
    expect(whole?.length).toBeGreaterThan(0)
    for (let end = 0; end < page.length; end++)
      for (const line of read(source, page.slice(0, end), iata) ?? [])
        expect(whole, `cut after ${end} characters: ${page.slice(0, end).slice(-30)}`).toContain(line)
  },
)
